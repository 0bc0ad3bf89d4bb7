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

  /// Creates the description of a header field with a name of the API's own.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it is not the name of a header field (RFC 9110, section 5.1).
  public init(_ name: String, prefix: String = "Bearer") throws(AuthError) {
    guard let field = HTTPField.Name(name) else {
      throw .usage(
        "the header field \(Escaped.text(name, limit: 80))", why: "no field can have this name",
        hint: "use letters, digits and hyphens")
    }
    self.init(name: field, prefix: prefix)
  }

  /// Returns the header field with a token (RFC 6750, section 2.1).
  public func field(_ token: Secret) -> HTTPField {
    HTTPField(name: name, value: prefix.isEmpty ? token.exposed : "\(prefix) \(token.exposed)")
  }
}
