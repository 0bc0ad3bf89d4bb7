import AuthCore
import AuthCurl
import Foundation

/// The server that the example talks to, and its control interface.
struct Lab {
  /// Scheme, host and port, which is the issuer too.
  let origin: String
  /// Carries all requests.
  let transport = CurlTransport()
  private let control: APIClient

  /// Takes the origin.
  init(origin: String) throws {
    self.origin = origin
    control = APIClient(base: try WebURL(origin + "/control"), transport: transport)
  }

  /// A URL of the server.
  func url(_ path: String) throws -> WebURL { try WebURL(origin + path) }

  /// Gives an order, with a body where there is one.
  func order(_ path: String, _ body: some Encodable = [String: String]()) async throws {
    _ = try await control.send(try .post(path, json: body), as: EmptyResponse.self)
  }

  /// How often something has happened.
  func count(_ name: String) async throws -> Int {
    try await control.send(.get("counters"), as: [String: Int].self).value[name] ?? 0
  }
}
