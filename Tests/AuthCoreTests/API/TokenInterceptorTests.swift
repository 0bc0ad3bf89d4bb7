import HTTPTypes
import Testing

@testable import AuthCore

@Suite("TokenInterceptor")
struct TokenInterceptorTests {
  private let source = FakeCredentials()
  private let events = EventLog()

  private func client(_ api: FakeAPI, _ interceptor: any Interceptor) throws -> APIClient {
    APIClient(base: try WebURL("https://api.example"), transport: api, interceptor: interceptor)
  }

  private func accepting(_ tokens: String..., status: Int = 401) -> FakeAPI {
    FakeAPI { request in
      .made(tokens.contains { request.authorization == "Bearer \($0)" } ? 204 : status)
    }
  }

  private func status(_ error: APIError?) -> Int? {
    if case .server(let failure) = error { failure.status } else { nil }
  }

  @Test("a refused token is refreshed once and the request replayed once, with the same body (invariant 8)")
  func replayed() async throws {
    let api = accepting("A2")
    let client = try client(api, TokenInterceptor(source, events: events.handler))
    _ = try await client.send(.post("x", json: [1]), as: EmptyResponse.self)
    #expect(source.rejected == ["A1"])
    #expect(api.requests.map(\.authorization) == ["Bearer A1", "Bearer A2"])
    #expect(api.requests.map(\.body) == ["[1]", "[1]"])
    #expect(events.events == [.replaying(status: 401)])
  }

  @Test("a second refusal is the response (invariant 8)")
  func second() async throws {
    let api = accepting("A3")
    let client = try client(api, TokenInterceptor(source))
    let error = await #expect(throws: APIError.self) { try await client.send(.get("x"), as: EmptyResponse.self) }
    #expect(status(error) == 401)
    #expect(source.rejected == ["A1"])
    #expect(api.requests.count == 2)
  }

  @Test(
    "the program decides which statuses cause a refresh",
    arguments: [(403, [401, 403], true), (403, [401], false), (401, [], false)] as [(Int, Set<Int>, Bool)])
  func refreshOn(status: Int, refreshOn: Set<Int>, isRefreshed: Bool) async throws {
    let api = accepting("A2", status: status)
    let client = try client(api, TokenInterceptor(source, refreshOn: refreshOn))
    #expect(try await client.response(to: .get("x")).status == (isRefreshed ? 204 : status))
    #expect(source.rejected == (isRefreshed ? ["A1"] : []))
  }

  @Test(
    "a valid but insufficient token is not refreshed, and the response says what it lacks (RFC 6750, section 3.1)",
    arguments: [(401, [401]), (403, [401, 403])] as [(Int, Set<Int>)])
  func insufficient(status: Int, refreshOn: Set<Int>) async throws {
    let api = FakeAPI(status, fields: [.wwwAuthenticate: #"Bearer error="insufficient_scope", scope="write""#])
    let client = try client(api, TokenInterceptor(source, refreshOn: refreshOn))
    let error = await #expect(throws: APIError.self) { try await client.send(.get("x"), as: EmptyResponse.self) }
    guard case .server(let failure) = error else { throw Unexpected(error) }
    #expect(failure.insufficientAuthorization == InsufficientAuthorization(.scope, scope: ["write"]))
    #expect(failure.code == "insufficient_scope")
    #expect(source.rejected.isEmpty)
    #expect(api.requests.count == 1)
  }

  @Test("the header's name and prefix are the program's word; an empty prefix sends the bare token")
  func header() async throws {
    let name = try #require(HTTPField.Name("X-Token"))
    for (prefix, value) in [("Token", "Token A1"), ("", "A1")] {
      let api = FakeAPI(204)
      let header = TokenHeader(name: name, prefix: prefix)
      _ = try await client(api, TokenInterceptor(FakeCredentials(), header: header)).response(to: .get("x"))
      #expect(api.requests.map { $0.fields[name] } == [value])
      #expect(api.requests.map(\.authorization) == [nil])
    }
  }

  @Test("the adapter alone adds the token; a refusal is the response, and nothing is refreshed")
  func adaptingAlone() async throws {
    let api = accepting("A2")
    let client = try client(api, InterceptorChain(adapters: [TokenInterceptor(source)]))
    #expect(try await client.response(to: .get("x")).status == 401)
    #expect(api.requests.map(\.authorization) == ["Bearer A1"])
    #expect(source.rejected.isEmpty)
  }

  @Test("the retrier alone refreshes a token that another adapter has added")
  func retryingAlone() async throws {
    struct Own: RequestAdapter {
      let source: FakeCredentials

      func adapt(_ request: APIRequest) async throws -> APIRequest {
        var request = request
        request.authorization = RequestAuthorization(try await source.credential(replacing: nil))
        request.fields[.userAgent] = "own"
        return request
      }
    }
    let api = accepting("A2")
    let chain = InterceptorChain(adapters: [Own(source: source)], retriers: [TokenInterceptor(source)])
    #expect(try await client(api, chain).response(to: .get("x")).status == 204)
    #expect(api.requests.map(\.authorization) == ["Bearer A1", "Bearer A2"])
    #expect(api.requests.allSatisfy { $0.fields[.userAgent] == "own" })
    #expect(source.rejected == ["A1"])
  }

  @Test("a request that needs no authentication causes no refresh, nor does one that carried none")
  func nothingCarried() async throws {
    let interceptor = TokenInterceptor(source)
    let client = try client(FakeAPI(401), interceptor)
    #expect(try await client.response(to: .get("x").withoutAuthentication()).status == 401)
    let bare = Attempt(.get("x"), outcome: .response(.made(401)))
    #expect(try await interceptor.decide(after: bare) == .accept)
    #expect(source.rejected.isEmpty)
  }

  @Test("Basic from another adapter precedes the token and causes no refresh (RFC 7617)")
  func basic() async throws {
    let credentials = try #require(BasicCredentials(username: "alice", password: Secret("pw")))
    let interceptor = TokenInterceptor(source)
    let chain = InterceptorChain(adapters: [BasicAdapter(credentials), interceptor], retriers: [interceptor])
    let api = FakeAPI(401)
    #expect(try await client(api, chain).response(to: .get("x")).status == 401)
    #expect(api.requests.map(\.authorization) == ["Basic YWxpY2U6cHc="])
    #expect(try await client(api, chain).response(to: .get("x").withoutAuthentication()).status == 401)
    #expect(api.requests.map(\.authorization) == ["Basic YWxpY2U6cHc=", nil])
    #expect(source.rejected.isEmpty)
  }

  @Test(
    "a request that brings its own credentials keeps them: one Authorization, and no refresh for it",
    arguments: [true, false])
  func ownAuthorization(isAdapted: Bool) async throws {
    struct Late: RequestAdapter {
      func adapt(_ request: APIRequest) async throws -> APIRequest {
        var request = request
        request.fields[.authorization] = "Own x"
        return request
      }
    }
    let api = FakeAPI(401)
    let interceptor = TokenInterceptor(source)
    let chain = InterceptorChain(
      adapters: isAdapted ? [interceptor, Late()] : [interceptor], retriers: [interceptor])
    var request = APIRequest.get("x")
    if !isAdapted { request.fields[.authorization] = "Own x" }
    #expect(try await client(api, chain).response(to: request).status == 401)
    #expect(api.requests.map { $0.fields[values: .authorization] } == [["Own x"]])
    #expect(source.rejected.isEmpty)
    let credentials = try #require(BasicCredentials(username: "alice", password: Secret("pw")))
    let basic = InterceptorChain(
      adapters: isAdapted ? [BasicAdapter(credentials), Late()] : [BasicAdapter(credentials)])
    _ = try await client(api, basic).response(to: request)
    #expect(api.requests.last?.fields[values: .authorization] == ["Own x"])
  }

  @Test("the token goes before a field of the client's options: one Authorization on the wire")
  func optionsAuthorization() async throws {
    let api = FakeAPI(204)
    var options = APIOptions()
    options.fields[.authorization] = "Option x"
    let client = APIClient(
      base: try WebURL("https://api.example"), transport: api, interceptor: TokenInterceptor(source), options: options)
    _ = try await client.response(to: .get("x"))
    _ = try await client.response(to: .get("x").withoutAuthentication())
    #expect(api.requests.map { $0.fields[values: .authorization] } == [["Bearer A1"], ["Option x"]])
  }

  @Test("a request for a nonce is not a refusal of the token (RFC 9449, section 9)")
  func nonceDemand() async throws {
    let response = TransferResponse.made(401, fields: [.wwwAuthenticate: #"DPoP error="use_dpop_nonce""#])
    var request = APIRequest.get("x")
    request.authorization = RequestAuthorization(APICredential(Secret("A1")))
    #expect(try await TokenInterceptor(source).decide(after: Attempt(request, outcome: .response(response))) == .accept)
    #expect(source.rejected.isEmpty)
  }

  @Test("a session that cannot be refreshed ends the request with its own error")
  func dead() async throws {
    struct Dying: CredentialSource {
      func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
        guard rejected == nil else { throw NoCredentials.error }
        return APICredential(Secret("A1"))
      }
    }
    let api = accepting()
    let client = try client(api, TokenInterceptor(Dying()))
    await #expect(throws: APIError.authentication(NoCredentials.error)) {
      try await client.send(.get("x"), as: EmptyResponse.self)
    }
    #expect(api.requests.count == 1)
  }
}
