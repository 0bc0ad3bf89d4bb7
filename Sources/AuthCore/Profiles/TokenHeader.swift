public import HTTPTypes

/// The header field that carries the access token: `Authorization: Bearer …` unless the profile says otherwise.
public struct TokenHeader: Sendable, Equatable {
  /// The field's name.
  public var name: HTTPField.Name
  /// What stands before the token, with a space between; empty sends the bare token.
  public var prefix: String

  /// Makes the description of the field.
  public init(name: HTTPField.Name = .authorization, prefix: String = "Bearer") {
    self.name = name
    self.prefix = prefix
  }

  /// The field with a token in it (RFC 6750, section 2.1).
  public func field(_ token: Secret) -> HTTPField {
    HTTPField(name: name, value: prefix.isEmpty ? token.exposed : "\(prefix) \(token.exposed)")
  }
}
