import FoundationEssentials
import HTTPTypes

/// A client registered at an authorization server (RFC 6749, section 2).
struct OAuthClient: Sendable {
  let clientID: String
  let authentication: ClientAuthentication
  let basicEncoding: BasicEncoding
  /// The client's secret; nil for a public client.
  let secret: Secret?

  /// Puts the client's authentication into a request (RFC 6749, section 2.3.1).
  func authenticate(_ form: inout [(name: String, value: String)], _ fields: inout HTTPFields) {
    switch authentication {
    case .none:
      form.append(("client_id", clientID))
    case .post:
      form.append(("client_id", clientID))
      form.append(("client_secret", secret?.exposed ?? ""))
    case .basic:
      let pair = basicEncoding.encode(clientID) + ":" + basicEncoding.encode(secret?.exposed ?? "")
      fields[.authorization] = "Basic " + Data(pair.utf8).base64EncodedString()
    }
  }

  /// What to try when the server refuses the client.
  var hint: String {
    switch authentication {
    case .none: "check client_id; a client with a secret needs client_authentication in the profile"
    case .post: "check client_id and the secret (--client-secret-stdin); the server may want client_secret_basic"
    case .basic:
      "check client_id and the secret (--client-secret-stdin); if the secret has special characters, try"
        + " client_authentication = \"client_secret_post\", or basic_encoding = \"form\" or \"raw\""
    }
  }
}
