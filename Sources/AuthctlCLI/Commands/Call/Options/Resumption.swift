import AuthCore
import HTTPTypes

/// A download that continues after the existing data (RFC 9110, section 14).
struct Resumption: Sendable, Equatable {
  /// The number of existing bytes.
  let start: Int64

  init(_ start: Int64) {
    self.start = start
  }

  /// The value of `Range` that requests the rest.
  var range: String { "bytes=\(start)-" }

  /// Returns whether the body of a response is the rest. False if there is no rest, or the response is an error.
  ///
  /// - Throws: ``AuthError/failed(_:)`` if it is something else, which would damage the existing data.
  func isContinued(by response: TransferResponse) throws(AuthError) -> Bool {
    guard (200..<300).contains(response.status) else { return false }
    if let range = response.fields[.contentRange] {
      guard Resumption.first(of: range) == start else {
        throw failed("the server sends another part than requested")
      }
      return true
    }
    // As in curl: a server without range support may have no more data than the existing bytes.
    guard response.status == 204 || response.fields[.contentLength] == "\(start)" else {
      throw failed("the server does not support ranges and sends the whole")
    }
    return false
  }

  /// Returns the first byte of `bytes 100-199/200` (RFC 9110, section 14.4); nil for anything else.
  private static func first(of range: String) -> Int64? {
    range.lowercased().dropping(prefix: "bytes ").flatMap { Int64($0.drop(anyOf: " ").prefix(upToAny: "-")) }
  }

  private func failed(_ why: String) -> AuthError {
    .failed("-C \(start)", why: why, hint: "the file is unchanged; without -C it is transferred from the start")
  }
}
