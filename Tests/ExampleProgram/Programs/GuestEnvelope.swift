import AuthCore
import AuthCurl
import AuthImages
import AuthKeyring
import Foundation

/// Registers a guest with a picture, keeps the tokens in the user's keyring, and finds them there the next time.
struct GuestEnvelope {
  /// The access token is a JWT: its own `exp` says how long it lives.
  struct Envelope: TokenReply {
    struct Content: Decodable, Sendable { var accessToken, refreshToken: Secret }
    var data: Content
    var accessToken: Secret { data.accessToken }
    var refreshToken: Secret? { data.refreshToken }
  }

  static func main() async throws {
    let base = try WebURL(CommandLine.arguments[1] + "/kind5")
    let transport = CurlTransport()
    let session = TokenSession(
      "guest", storage: .keyring("com.example.guestbook"), server: APIClient(base: base, transport: transport),
      refresh: { try .post("auth/refresh", json: ["refreshToken": $0]) }, as: Envelope.self)

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
      try await session.logIn(request, as: Envelope.self)
      print("registered")
    }
    let client = session.client(base: base, transport: transport)
    print("guest: \(try await client.response(to: .get("api/me")).status)")
    print("without a token: \(try await client.response(to: .get("api/me").withoutAuthentication()).status)")
  }
}
