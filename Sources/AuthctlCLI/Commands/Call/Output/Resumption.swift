import AuthCore
import HTTPTypes

/// A download that goes on behind what is there (RFC 9110, section 14).
struct Resumption: Sendable, Equatable {
  /// How many bytes are there.
  let start: Int64

  init(_ start: Int64) {
    self.start = start
  }

  /// The field `Range` that asks for the rest.
  var range: String { "bytes=\(start)-" }

  /// Whether the body of a response is the rest; not where there is no rest, or the response is an error.
  ///
  /// - Throws: ``AuthError/failed(_:)`` where it is something else, which would spoil what is there.
  func isContinued(by response: TransferResponse) throws(AuthError) -> Bool {
    guard (200..<300).contains(response.status) else { return false }
    if let range = response.fields[.contentRange] {
      guard Resumption.first(of: range) == start else {
        throw failed("the server sends another part than requested")
      }
      return true
    }
    // As in curl: a server that doesn't know parts may well have no more than what is there.
    guard response.status == 204 || response.fields[.contentLength] == "\(start)" else {
      throw failed("the server does not support ranges and sends the whole")
    }
    return false
  }

  /// The first byte of `bytes 100-199/200` (RFC 9110, section 14.4); nil for anything else.
  private static func first(of range: String) -> Int64? {
    guard range.lowercased().hasPrefix("bytes ") else { return nil }
    return Int64(range.dropFirst(6).drop { $0 == " " }.prefix { $0 != "-" })
  }

  private func failed(_ why: String) -> AuthError {
    .failed(.init("-C \(start)", why: why, hint: "the file is unchanged; without -C it is transferred from the start"))
  }
}
