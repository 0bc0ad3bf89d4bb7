import HTTPTypes
import Testing

@testable import AuthCore

@Suite("APIClient, where credentials go (invariant 9)")
struct APIOriginTests {
  private func client(
    _ api: FakeAPI, adapter: (any RequestAdapter)? = nil, _ change: (inout APIOptions) throws -> Void = { _ in }
  ) throws -> APIClient {
    var options = APIOptions()
    try change(&options)
    return APIClient(
      base: try WebURL("https://api.example/v1"), transport: api,
      interceptor: InterceptorChain(adapters: [adapter ?? TokenInterceptor(FakeCredentials())]), options: options)
  }

  @Test("a request to the base's origin carries the token")
  func base() async throws {
    let api = FakeAPI(204)
    _ = try await client(api).send(.get("https://api.example:443/other"), as: EmptyResponse.self)
    #expect(api.requests.map(\.authorization) == ["Bearer A1"])
  }

  @Test(
    "a request that needs credentials is not sent to another origin",
    arguments: ["https://other.example/", "http://api.example/", "https://api.example:8443/"])
  func elsewhere(url: String) async throws {
    let api = FakeAPI(204)
    let error = await #expect(throws: APIError.self) {
      try await client(api).send(.get(url), as: EmptyResponse.self)
    }
    guard case .authentication(.origin) = error else { throw Unexpected(error) }
    #expect(api.requests.isEmpty)
  }

  @Test("further origins are named; not even they get credentials over plain http")
  func further() async throws {
    let api = FakeAPI(204)
    let client = try client(api) {
      $0.furtherOrigins = [try WebURL("https://files.example").origin, try WebURL("http://files.example").origin]
    }
    _ = try await client.send(.get("https://files.example/x"), as: EmptyResponse.self)
    #expect(api.requests.map(\.authorization) == ["Bearer A1"])
    let error = await #expect(throws: APIError.self) {
      try await client.send(.get("http://files.example/x"), as: EmptyResponse.self)
    }
    guard case .authentication(.origin) = error else { throw Unexpected(error) }
    #expect(api.requests.count == 1)
  }

  @Test("a base on plain http gets no credentials either, unless it is this machine")
  func plainBase() async throws {
    let api = FakeAPI(204)
    for (base, isSent) in [("http://api.example", false), ("http://127.0.0.1:8080", true)] {
      let client = APIClient(
        base: try WebURL(base), transport: api, interceptor: TokenInterceptor(FakeCredentials()))
      let sent = try? await client.send(.get("x"), as: EmptyResponse.self)
      #expect((sent != nil) == isSent)
    }
    #expect(api.requests.map(\.url) == ["http://127.0.0.1:8080/x"])
  }

  @Test("a request that needs no authentication carries none, anywhere, whatever the adapters do")
  func without() async throws {
    struct Stubborn: RequestAdapter {
      func adapt(_ request: APIRequest) async throws -> APIRequest {
        var request = request
        request.authorization = RequestAuthorization(APICredential(Secret("A0")))
        return request
      }
    }
    for adapter: any RequestAdapter in [TokenInterceptor(FakeCredentials()), Stubborn()] {
      let api = FakeAPI(204)
      let client = try client(api, adapter: adapter)
      _ = try await client.send(.post("login").withoutAuthentication(), as: EmptyResponse.self)
      _ = try await client.send(.get("https://other.example/").withoutAuthentication(), as: EmptyResponse.self)
      #expect(api.requests.map(\.authorization) == [nil, nil])
    }
  }

  @Test("a redirect to another origin leaves the token behind, one within the origin does not")
  func redirected() async throws {
    let api = FakeAPI { request in
      switch request.url {
      case "https://api.example/v1/near": .made(307, fields: [.location: "/v1/far"])
      case "https://api.example/v1/far": .made(307, fields: [.location: "https://evil.example/"])
      default: .made(204)
      }
    }
    _ = try await client(api).send(.get("near"), as: EmptyResponse.self)
    #expect(api.requests.map(\.authorization) == ["Bearer A1", "Bearer A1", nil])
  }

  @Test("a redirect that is not followed is the server's response")
  func notFollowed() async throws {
    let api = FakeAPI(302, fields: [.location: "/x"])
    let client = try client(api) { $0.redirects = .response }
    let error = await #expect(throws: APIError.self) { try await client.send(.get("x"), as: EmptyResponse.self) }
    guard case .server(let failure) = error else { throw Unexpected(error) }
    #expect(failure.status == 302 && failure.fields[.location] == "/x")
    #expect(api.requests.count == 1)
  }
}
