public import FoundationEssentials
public import HTTPTypes

/// An error response from an API.
public struct ServerFailure: Sendable, Equatable {
  /// The status code: 300 or higher, or that of a response of a session's server that refuses by a flag.
  public let status: Int
  /// The API's error code, for programs; nil if the response has none.
  public let code: String?
  /// The API's error message, for people; nil if the response has none.
  public let message: String?
  /// The authorization that the token lacks, if the API reports it. A refresh does not help; a new login is needed.
  public let insufficientAuthorization: InsufficientAuthorization?
  /// The header fields of the response.
  public let fields: HTTPFields
  /// The body as received, in bytes; it may contain confidential data.
  public let data: Data

  /// Reads a response. Searches the usual places for the code and the message, including problem details (RFC 9457) and
  /// OAuth errors (RFC 6749, section 5.2).
  public init(_ response: TransferResponse) {
    status = response.status
    fields = response.fields
    data = Data(response.body)
    // A body that is not JSON has neither code nor message.
    let document = try? JSONValue(parsing: response.body)
    // RFC 6750 and RFC 9449 put the error into the challenge, and the body may be empty.
    let challenge = Challenge.all(in: response.fields).first { $0["error"] != nil }
    code = ServerFailure.words(ResponsePointers.usualCodes, document) ?? challenge?["error"].map { Escaped.text($0) }
    message =
      ServerFailure.words(ServerFailure.messages, document)
      ?? challenge?["error_description"].map { Escaped.text($0) } ?? ServerFailure.text(response)
    insufficientAuthorization = response.insufficientAuthorization
  }

  private static let messages = [
    "/message", "/error_description", "/error/message", "/detail", "/title", "/errorMessage",
  ]

  /// Returns the body as a message if it is plain text, in UTF-8 and short: one line of it.
  private static func text(_ response: TransferResponse) -> String? {
    guard response.fields[.contentType]?.prefix(upToAny: "; ").lowercased() == "text/plain",
      let text = String(validating: response.body, as: UTF8.self)
    else { return nil }
    let line = text.split(atAny: "\r\n").first.map { String($0).trimmingWhitespace() } ?? ""
    return line.isEmpty ? nil : Escaped.text(line, limit: 300)
  }

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
