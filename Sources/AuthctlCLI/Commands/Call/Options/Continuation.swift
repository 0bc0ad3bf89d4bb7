import AuthCore
import SystemPackage

/// The position at which an interrupted transfer continues (`-C`): a byte offset, or the end of the existing data.
struct Continuation: Sendable {
  /// The offset in bytes; nil for `-`.
  let offset: Int64?
  private let isOfUpload: Bool

  /// Reads the option; nil if it is not given.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if its value is neither a number nor `-`, or it contradicts another option.
  init?(_ invocation: Invocation) throws(AuthError) {
    guard let text = invocation.value(CallOptions.continueAt) else { return nil }
    if let fault = Continuation.fault(text) { throw .usage("-C", why: fault.why, hint: fault.hint) }
    let others = CallOptions.pieces.filter { _ in !invocation.has(CallOptions.get) }
    try invocation.refuse(
      CallOptions.continueAt, with: others + [CallOptions.form, CallOptions.formString, CallOptions.range], as: "-C",
      hint: "it is for downloads, and for -T FILE")
    offset = text == "-" ? nil : Int64(text)
    isOfUpload = invocation.has(CallOptions.uploadFile)
  }

  /// Returns the fault of a value of the option; nil if it is valid.
  @Sendable static func fault(_ text: String) -> Option.Value.Fault? {
    let isNumber = text.allSatisfy { $0.isASCII && $0.isNumber } && Int64(text) != nil
    guard !isNumber, text != "-" else { return nil }
    return .init(why: "not a number of bytes, and not -", hint: "use -C 500 or -C -")
  }

  /// Returns the position at which a download continues; nil if it starts from the beginning, or there is none.
  ///
  /// - Parameter path: the file that the body is written to; nil for standard output.
  func resumption(of path: String?) -> Resumption? {
    guard !isOfUpload else { return nil }
    let start = offset ?? path.flatMap(Continuation.size) ?? 0
    return start > 0 ? Resumption(start) : nil
  }

  /// Returns the size of a file; nil if it does not exist yet, or is a pipe.
  private static func size(_ path: String) -> Int64? {
    guard let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec]) else { return nil }
    return try? file.closeAfter { try file.seek(offset: 0, from: .end) }
  }

  /// Returns the upload of a body, from the position at which it continues.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the body has no length, or no data after the position.
  func upload(of body: RequestBody) throws(AuthError) -> Upload {
    guard let length = body.length else {
      throw .usage("-C", why: "the size of standard input or a pipe is unknown", hint: "use a file: -T FILE")
    }
    guard let offset else { return length == 0 ? .whole : .wholeWithRange }
    guard offset == 0 || offset < length else {
      throw .usage("-C \(offset)", why: "the file has only \(length) bytes", hint: "nothing is left to send")
    }
    return offset == 0 ? .whole : .rest(from: offset)
  }
}
