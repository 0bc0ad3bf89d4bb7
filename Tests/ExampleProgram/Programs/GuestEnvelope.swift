import AuthCore
import Curl
import Foundation
import Images
import Keyring

/// Registers a guest with a picture, keeps the tokens in the user's keyring, and finds them there the next time.
struct GuestEnvelope {
  struct Envelope: Decodable, Sendable {
    struct Content: Decodable, Sendable {
      var accessToken, refreshToken: Secret
    }
    var data: Content

    /// The access token is a JWT: its own `exp` says how long it lives.
    var response: TokenResponse { TokenResponse(accessToken: data.accessToken, refreshToken: data.refreshToken) }
  }

  static func main() async throws {
    signal(SIGPIPE, SIG_IGN)
    let base = try WebURL(CommandLine.arguments[1] + "/kind5")
    let transport = CurlTransport()
    let server = APIClient(base: base, transport: transport)
    let storage = SecretTokenStorage(SecretServiceStore(application: "guestbook"), profile: "guest")
    let session = TokenSession("guest", storage: storage) { pair in
      let body = ["refreshToken": pair.refreshToken?.exposed]
      let envelope = try await server.send(.post("auth/refresh", json: body), as: Envelope.self).value
      return pair.refreshed(by: envelope.response, sentAt: Date())
    }

    if try await session.stored() == nil {
      let picture = try Data(contentsOf: URL(filePath: CommandLine.arguments[3]))
      let limits = ImageLimits(width: 1024, height: 1024, maxBytes: 5_000_000)
      let fitted = try await PixbufFitting().fitted(Array(picture), limits: limits)
      let request = APIRequest.post(
        "auth/guest/register",
        multipart: [
          .text("name", "Ada"),
          .file("image", fileName: "me.jpg", mediaType: fitted.mediaType, content: fitted.bytes),
        ])
      let envelope = try await server.send(request, as: Envelope.self).value
      try await session.logIn(with: TokenPair(envelope.response, sentAt: Date()))
      print("registered")
    }
    let client = session.client(base: base, transport: transport)
    print("guest: \(try await client.response(to: .get("api/me")).status)")
    print("without a token: \(try await client.response(to: .get("api/me").withoutAuthentication()).status)")
  }
}
