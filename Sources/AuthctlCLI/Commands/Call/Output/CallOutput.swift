import AuthCore
import Synchronization
import SystemPackage

/// Where the response of a call goes: standard output, or the file of `-o` or `-O`, which is made when the response has
/// begun.
final class CallOutput: Sendable {
  private struct State {
    var file: FileDescriptor?
    var dump: HeaderDump?
    var view: ResponseView?
    var isInLine = false
  }

  /// Where the body goes.
  let place: OutputPlace
  /// Where a download that was broken off goes on (`-C`); nil where it begins.
  let resumption: Resumption?

  private let index: Int
  private let invocation: Invocation
  private let context: Context
  private let state = Mutex(State())

  /// - Parameter index: the place of the request among those of the command line, from 0.
  /// - Throws: ``AuthError`` where the command line names no usable place.
  init(index: Int, url: WebURL, _ invocation: Invocation, _ context: Context) throws(AuthError) {
    place = try OutputPlace(invocation, index: index, url: url)
    resumption = try Continuation(invocation)?.resumption(of: place.path)
    self.index = index
    self.invocation = invocation
    self.context = context
  }

  /// Opens what must be there before the request is sent: the file of `-D`.
  ///
  /// - Throws: ``AuthError/failed(_:)`` where it can't be written.
  func prepare() throws(AuthError) {
    guard let path = invocation.value(CallOptions.dumpHeader) else { return }
    let dump = try HeaderDump(path, isFirst: index == 0, standardOutput: context.console.output)
    state.withLock { $0.dump = dump }
  }

  /// Opens the output and writes the header to where it is wanted.
  ///
  /// - Throws: ``AuthError/failed(_:)``, `Errno`.
  func begin(_ response: TransferResponse) throws -> BodyDestination {
    try state.withLock { $0.dump }?.write(response.rawHeader)
    let isDropped = response.status >= 400 && invocation.has(CallOptions.fail)
    if isDropped, !includesHeader { return .discard }
    // What is no part of the file has no place behind what is there.
    if let resumption, try !resumption.isContinued(by: response), place.path != nil || response.status < 400 {
      return .discard
    }
    let start: FileDescriptor.OpenOptions = resumption == nil ? .truncate : .append
    let output = try place.path.map { try OutputFile.open($0, start, for: "-o") } ?? context.console.output
    state.withLock { $0.file = output }
    if includesHeader { _ = try output.writeAll(response.rawHeader) }
    if isDropped { return .discard }
    guard let view = ResponseView(of: response, at: place, invocation, context) else { return .write(to: output) }
    state.withLock { $0.view = view }
    return .change(by: { try view.shown($0) }, to: output)
  }

  /// Writes what comes after the body, and closes the files: only then it is sure that all of it was taken.
  ///
  /// - Parameter answer: the whole response; nil where it has broken off.
  /// - Throws: ``AuthError/failed(_:)``, `Errno`.
  func end(_ response: TransferResponse?) throws {
    let state = state.withLock { state in
      defer { state = State(isInLine: state.isInLine) }
      return state
    }
    if let output = state.file {
      if let rest = try state.view?.rest() { _ = try output.writeAll(rest) }
      if let view = state.view { self.state.withLock { $0.isInLine = view.isInLine } }
      if includesHeader, let response { _ = try output.writeAll(response.rawTrailer) }
      if place.path != nil { try output.close() }
    }
    if let response { try state.dump?.write(response.rawTrailer) }
    try state.dump?.close()
  }

  /// Begins a new line on the terminal where the body has not, so that what is said of it stands by itself.
  func breakLine() {
    guard context.console.terminals.error, state.withLock({ $0.isInLine }) else { return }
    context.console.note("")
  }

  /// Where a person finds the body of a response that has been shown; nil where there is nothing to find.
  func whereabouts(_ response: TransferResponse) -> String? {
    guard response.bodyCount > 0, resumption == nil, !invocation.has(CallOptions.fail) else { return nil }
    return place.path.map { "see \(Escaped.text($0, limit: 80))" } ?? "see the response body"
  }

  private var includesHeader: Bool { invocation.has(CallOptions.include) || invocation.has(CallOptions.head) }
}
