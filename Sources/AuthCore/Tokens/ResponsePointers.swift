/// The locations of values in a server's responses: the table `[response]` of a profile. Of several pointers, the first
/// one that finds a value is used.
package struct ResponsePointers: Sendable, Equatable {
  /// The access token.
  package var accessToken: [JSONPointer] = []
  /// The refresh token.
  package var refreshToken: [JSONPointer] = []
  /// The access token's lifetime in seconds, a number or a string.
  package var expiresIn: [JSONPointer] = []
  /// The refresh token's lifetime in seconds, a number or a string.
  package var refreshExpiresIn: [JSONPointer] = []
  /// A flag that is false if the server refuses the request, regardless of the status.
  package var success: [JSONPointer] = []
  /// The server's error code.
  package var errorCode: [JSONPointer] = []
  /// The server's error message; if no pointer is given, the members that most servers use.
  package var errorMessage: [JSONPointer] = []
  /// The logged-in user: a string or a number.
  package var subject: [JSONPointer] = []
  /// The error codes of a refresh after which the user must log in again.
  package var loginRequiredCodes: Set<String> = []
  /// The error codes of an API after which the token is refreshed and the request replayed, regardless of the status.
  package var refreshOnCodes: Set<String> = []

  /// Creates an empty set of pointers.
  package init() {}

  /// Creates pointers to an error code and a flag `success` only.
  init(codesAt places: [String]) {
    errorCode = places.map { JSONPointer($0) ?? .member($0) }
    success = [.member("success")]
  }

  /// The places where most servers have an error code.
  static let usualCodes = ["/code", "/errorCode", "/error/code", "/error", "/type"]

  /// The locations of values that are no secrets: lifetimes, flag, error code, message and user.
  var described: [JSONPointer] {
    let usual = ResponsePointers.usualMessages.compactMap { JSONPointer("/" + $0) }
    return expiresIn + refreshExpiresIn + success + errorCode + (errorMessage.isEmpty ? usual : errorMessage) + subject
  }

  /// Returns the tokens of a response, also of one that is an error.
  func tokens(_ document: JSONValue?) -> [String] {
    (accessToken + refreshToken).compactMap { pointer in document.flatMap { pointer.value(in: $0)?.scalarText } }
  }

  /// Whether the success flag of a response reports a refusal.
  func refuses(_ document: JSONValue) -> Bool { flag(document) == false }

  /// Returns the success flag of a response; nil if it has none.
  func flag(_ document: JSONValue) -> Bool? {
    switch ResponsePointers.first(success, in: document) {
    case .bool(let flag): flag
    case .integer(let number): number != 0
    case .string(let text): text.lowercased() != "false"
    default: nil
    }
  }

  /// Returns the error code; a number is converted to its digits.
  ///
  /// - Parameter known: codes with a meaning, which count before others.
  func code(_ document: JSONValue, among known: Set<String> = []) -> String? {
    let codes = errorCode.compactMap { pointer -> String? in
      switch pointer.value(in: document) {
      case .string(let text): text.isEmpty ? nil : text
      case .integer(let number): String(number)
      default: nil
      }
    }
    return codes.first { known.contains($0) } ?? codes.first
  }

  /// Returns the error of a response, escaped for display.
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

  /// Returns the first value that exists and is not `null`.
  static func first(_ pointers: [JSONPointer], in document: JSONValue) -> JSONValue? {
    for pointer in pointers {
      if let value = pointer.value(in: document), value != .null { return value }
    }
    return nil
  }
}
