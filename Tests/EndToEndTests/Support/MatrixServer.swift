import Foundation
import TestSupport

/// A server of the table flow × client authentication × server, as a cell of it sees one.
struct MatrixServer: Sendable {
  /// A client that is registered at the server.
  struct Client: Sendable {
    /// `client_id`
    let id: String
    /// Its secret; nil for a public client, and for one with a key.
    var secret: String?
    /// The file of its private key, and the key's name at the server.
    var key: (file: String, id: String)?
  }

  /// What it is called in the table.
  let name: String
  /// The issuer identifier.
  let issuer: String
  /// The base of its API, and the path that accepts a valid token.
  let api: (base: String, path: String)
  /// The scope to ask for.
  let scope: [String]
  /// The redirect URIs that are registered; empty for any.
  let redirectURIs: [String]
  /// The password of `alice`.
  let password: String
  /// The clients, by flow and method of client authentication.
  let clients: [String: [String: Client]]
  /// Why the server can't do a flow (the method is then `*`), a method (the flow is then `*`), or a flow with a method.
  let cannot: [String: [String: String]]
  /// Where a client's own token is introspected (RFC 7662), where no API of the server takes it.
  var introspection: String?
  /// Where the device flow begins, where the server's metadata does not say it.
  var deviceAuthorization: String?
  /// The `assertion_audience` of profiles for it; nil for the issuer.
  var assertionAudience: String?
  /// The token for one registration (RFC 7591, section 3), where none is made without it.
  var initialAccessToken: String?
  /// What keeps the server running.
  let process: any Sendable

  /// The scope to ask for in a flow: a client alone has no user whose identity it could ask for.
  func scope(flow: String) -> [String] {
    flow == "client-credentials" ? scope.filter { $0 != "openid" && $0 != "profile" } : scope
  }

  /// The client for a cell, or why there is none.
  func client(flow: String, method: String) -> (client: Client?, reason: String) {
    if let client = clients[flow]?[method] { return (client, "") }
    return (nil, cannot[flow]?[method] ?? cannot[flow]?["*"] ?? cannot["*"]?[method] ?? "")
  }
}

extension MatrixServer {
  /// Why client credentials need a secret.
  static let nobodyCan = "a public client has no credentials of its own"

  /// authlab.
  static func authlab() throws -> MatrixServer {
    let key = try ClientKey(.p256)
    let lab = try Authlab(["--access-lifetime", "600", "--key-client", "key:\(key.publicFile)"])
    let secret = Client(id: "svc", secret: "svc-secret")
    let all = [
      "none": Client(id: "cli"), "client_secret_basic": secret, "client_secret_post": secret,
      "client_secret_jwt": Client(id: "hmac", secret: "hmac-secret-of-more-than-32-bytes"),
      "private_key_jwt": Client(id: "key", key: (file: key.file, id: "")),
    ]
    let confidential = all.filter { $0.key != "none" }
    // Whoever the client is, the assertion that is the grant is signed with the key that the server knows.
    let signing = all.mapValues { Client(id: $0.secret == nil ? "key" : $0.id, secret: $0.secret, key: (key.file, "")) }
    return MatrixServer(
      name: "authlab", issuer: lab.origin, api: (lab.origin + "/api", "me"), scope: ["openid", "api"],
      redirectURIs: [], password: Workplace.password,
      clients: [
        "browser": all, "device": all, "password": all, "client-credentials": confidential, "jwt-bearer": signing,
        "token-exchange": all,
      ],
      cannot: [
        "client-credentials": ["none": nobodyCan],
        "*": ["tls_client_auth": "it speaks no TLS: CertificateTests runs the method against a server that does"],
      ], process: [lab, key] as [any Sendable])
  }

  /// glewlwyd.
  static func glewlwyd() throws -> MatrixServer {
    let server = try Glewlwyd(accessLifetime: 600)
    // The one that may send its secret in the form has one with special characters.
    let confidential = [
      "client_secret_basic": Client(id: "cli-confidential", secret: server.secrets["cli-confidential"]),
      "client_secret_post": Client(id: "cli-odd", secret: server.secrets["cli-odd"]),
      "client_secret_jwt": Client(id: "cli-secret-jwt", secret: server.secrets["cli-secret-jwt"]),
      "private_key_jwt": Client(id: "cli-key-ec", key: server.keys["cli-key-ec"].map { (file: $0, id: "") }),
    ]
    let all = confidential.merging(["none": Client(id: "cli-public")]) { $1 }
    return MatrixServer(
      name: "glewlwyd", issuer: server.issuer, api: (server.issuer, "userinfo"), scope: ["openid", "read"],
      redirectURIs: server.redirectURIs, password: server.password,
      clients: ["browser": all, "device": all, "password": confidential, "client-credentials": confidential],
      cannot: [
        "client-credentials": ["none": nobodyCan],
        "password": ["none": "it has the password grant for confidential clients only"],
        "jwt-bearer": ["*": "it has no such grant"], "token-exchange": ["*": "it has no such grant"],
        "*": ["tls_client_auth": "it is set up without TLS here"],
      ], introspection: server.issuer + "/introspect",
      deviceAuthorization: server.issuer + "/device_authorization", assertionAudience: "endpoint", process: server)
  }
}
