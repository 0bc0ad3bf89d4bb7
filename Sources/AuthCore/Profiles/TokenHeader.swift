public import HTTPTypes

/// The header field that carries the access token; by default `Authorization: Bearer …`.
public struct TokenHeader: Sendable, Equatable {
  /// The field's name.
  public var name: HTTPField.Name
  /// The text before the token, separated by a space; if empty, only the token is sent.
  public var prefix: String

  /// Creates the description of a header field.
  public init(name: HTTPField.Name = .authorization, prefix: String = "Bearer") {
    self.name = name
    self.prefix = prefix
  }

  /// Returns the header field with a token (RFC 6750, section 2.1).
  public func field(_ token: Secret) -> HTTPField {
    HTTPField(name: name, value: prefix.isEmpty ? token.exposed : "\(prefix) \(token.exposed)")
  }
}
