public import FoundationEssentials

extension TokenPair {
  /// The last response by which the API refused the access token.
  public struct Refusal: Sendable, Equatable, Encodable {
    /// When it arrived.
    public var at: Date
    /// Its status code.
    public var status: Int
    /// The API's error code, escaped for display, at most 80 characters; nil if it sent none.
    public var error: String?
    /// The API's description of the error, escaped for display, at most 200 characters; nil if it sent none.
    public var description: String?
    /// The method and the path of the request, without its query.
    public var request: String
    /// Whether the API has accepted the token since.
    public var isOver: Bool

    enum CodingKeys: String, CodingKey {
      case at, status, error, description, request
      case isOver = "over"
    }

    /// Creates a refusal.
    public init(
      at: Date, status: Int, error: String? = nil, description: String? = nil, request: String, isOver: Bool = false
    ) {
      (self.at, self.status, self.error, self.description) = (at, status, error, description)
      (self.request, self.isOver) = (request, isOver)
    }

    /// Writes the stored form.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(at.rfc3339, forKey: .at)
      try values.encode(status, forKey: .status)
      try values.encodeIfPresent(error, forKey: .error)
      try values.encodeIfPresent(description, forKey: .description)
      try values.encode(request, forKey: .request)
      try values.encode(isOver, forKey: .isOver)
    }

    /// The error code and its description; the status if the API sent neither.
    package var words: String {
      let words = [error, description].compactMap(\.self).joined(separator: ": ")
      return words.isEmpty ? "\(status)" : words
    }

    /// The status, with the API's words in brackets.
    package var statusWords: String { words == "\(status)" ? words : "\(status) (\(words))" }
  }

  /// The last refusal of the access token, unless the API has accepted the token since; nil if there is none.
  package var lastingRefusal: Refusal? { apiRefusal.flatMap { $0.isOver ? nil : $0 } }
}

/// What the response to a request says about its token.
package enum APIVerdict: Sendable {
  /// The API refused a token that had just replaced a refused one: a refresh does not help.
  case refusedAgain(TokenPair.Refusal?)
  /// The API refused a token that was not replaced.
  case refused(TokenPair.Refusal)
  /// The API accepted a token that it had refused.
  case accepted
}
