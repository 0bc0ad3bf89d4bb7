import FoundationEssentials

/// A client secret or private key as it is stored, with the server and client that it was given for.
struct BoundSecret: Sendable, Equatable {
  /// The secret itself.
  let secret: Secret
  /// The server that it was given for; nil if it is unknown.
  let server: TokenPair.Server?

  /// Binds a secret to a server.
  init(_ secret: Secret, to server: TokenPair.Server?) {
    self.secret = secret
    self.server = server
  }

  /// Reads an item.
  ///
  /// Earlier versions stored the bare secret. It was given at the login whose tokens are stored beside it, so it
  /// belongs to the server of these tokens, and to no server if there are no tokens.
  init(stored: Secret, tokensOf server: TokenPair.Server?) {
    guard let item = BoundSecret.item(stored) else {
      self.init(stored, to: server)
      return
    }
    self.init(Secret(item.secret), to: item.server)
  }

  /// Whether an item holds the bare secret, as earlier versions stored it.
  static func isBare(_ stored: Secret) -> Bool { item(stored) == nil }

  /// Returns the secret in the form of an item.
  ///
  /// - Throws: ``AuthError/failed(_:)`` if it can't be encoded.
  func stored() throws(AuthError) -> Secret {
    guard let server else { return secret }
    do {
      return try Secret(encoding: Item(version: BoundSecret.version, secret: secret.exposed, server: server))
    } catch {
      throw .failed("storing the client secret", why: "it can't be encoded", hint: "report this as a bug")
    }
  }

  private static let version = 1

  private struct Item: Codable {
    let version: Int
    let secret: String
    let server: TokenPair.Server
  }

  private static func item(_ stored: Secret) -> Item? {
    // Any other content is a bare secret, including a JSON Web Key.
    let item = try? stored.decoded(as: Item.self)
    return item?.version == version ? item : nil
  }
}
