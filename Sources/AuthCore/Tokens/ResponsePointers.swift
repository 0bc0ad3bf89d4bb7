/// Where a server's responses hold what: the table `[response]` of a profile. Of several pointers, the first that finds
/// something counts.
package struct ResponsePointers: Sendable, Equatable {
  /// The access token.
  package var accessToken: [JSONPointer] = []
  /// The refresh token.
  package var refreshToken: [JSONPointer] = []
  /// The access token's life in seconds, a number or a string.
  package var expiresIn: [JSONPointer] = []
  /// The refresh token's life in seconds, a number or a string.
  package var refreshExpiresIn: [JSONPointer] = []
  /// A flag that is false where the server refuses, whatever the status.
  package var success: [JSONPointer] = []
  /// The server's own code of an error.
  package var errorCode: [JSONPointer] = []
  /// The server's words about an error; where none are given, the members that most servers use.
  package var errorMessage: [JSONPointer] = []
  /// Who is logged in: a string or a number.
  package var subject: [JSONPointer] = []
  /// The codes of a renewal that mean: a person must log in again.
  package var loginRequiredCodes: Set<String> = []
  /// The codes of an API's response that mean: renew and replay, whatever the status.
  package var refreshOnCodes: Set<String> = []

  /// Points at nothing yet.
  package init() {}

  /// Whether a response says of itself that it is a refusal.
  func refuses(_ document: JSONValue) -> Bool { flag(document) == false }

  /// The success flag of a response; nil if it has none.
  func flag(_ document: JSONValue) -> Bool? {
    switch ResponsePointers.first(success, in: document) {
    case .bool(let flag): flag
    case .integer(let number): number != 0
    case .string(let text): text.lowercased() != "false"
    default: nil
    }
  }

  /// The code of an error; a number counts as its digits.
  func code(_ document: JSONValue) -> String? {
    switch ResponsePointers.first(errorCode, in: document) {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    default: nil
    }
  }

  /// What a response says about its error, made safe to show.
  func error(_ document: JSONValue?, status: Int) -> ErrorResponse {
    let message = document.flatMap { words(in: $0) }
    return ErrorResponse(
      status: status, error: document.flatMap { code($0) }.map { Escaped.text($0, limit: 80) },
      errorDescription: message.map { Escaped.text($0) })
  }

  private func words(in document: JSONValue) -> String? {
    guard errorMessage.isEmpty else { return ResponsePointers.first(errorMessage, in: document)?.string }
    return ResponsePointers.usualMessages.lazy.compactMap { document[$0]?.string }.first { !$0.isEmpty }
  }

  private static let usualMessages = ["message", "error_description", "detail", "title"]

  /// The first value that is there; `null` is not.
  static func first(_ pointers: [JSONPointer], in document: JSONValue) -> JSONValue? {
    for pointer in pointers {
      if let value = pointer.value(in: document), value != .null { return value }
    }
    return nil
  }
}
