public import FoundationEssentials
public import HTTPTypes

/// An error that an API has answered with.
public struct ServerFailure: Sendable, Equatable {
  /// The status: 300 or more.
  public let status: Int
  /// The API's own word for the error, for programs; nil where none was found.
  public let code: String?
  /// The API's own words for people; nil where none were found.
  public let message: String?
  /// What the token is not enough for, where the API says so: another login is needed, not a renewal.
  public let insufficientAuthorization: InsufficientAuthorization?
  /// The header fields of the response.
  public let fields: HTTPFields
  /// The body as it came; it may hold what should not be shown.
  public let data: Data

  /// Reads a response: the words are looked for where APIs mostly put them, problem details (RFC 9457) and errors of
  /// OAuth (RFC 6749, section 5.2) among them.
  public init(_ response: TransferResponse) {
    status = response.status
    fields = response.fields
    data = Data(response.body)
    // What is no JSON has no words that could be found.
    let document = try? JSONValue(parsing: response.body)
    // RFC 6750 and RFC 9449 put them into the challenge, and the body may be empty.
    let challenge = Challenge.all(in: response.fields).first { $0["error"] != nil }
    code = ServerFailure.words(ServerFailure.codes, document) ?? challenge?["error"].map { Escaped.text($0) }
    message =
      ServerFailure.words(ServerFailure.messages, document)
      ?? challenge?["error_description"].map { Escaped.text($0) }
    insufficientAuthorization = response.insufficientAuthorization
  }

  private static let codes = ["/code", "/errorCode", "/error/code", "/error", "/type"]
  private static let messages = [
    "/message", "/error_description", "/error/message", "/detail", "/title", "/errorMessage",
  ]

  private static func words(_ places: [String], _ document: JSONValue?) -> String? {
    guard let document else { return nil }
    for place in places {
      guard let text = JSONPointer(place)?.value(in: document)?.string, !text.isEmpty else { continue }
      return Escaped.text(text)
    }
    return nil
  }
}

extension ServerFailure: CustomStringConvertible {
  /// Status, code and message on one line.
  public var description: String {
    let words = [code, message].compactMap { $0 }.joined(separator: ": ")
    return words.isEmpty ? "\(status)" : "\(status), \(words)"
  }
}
