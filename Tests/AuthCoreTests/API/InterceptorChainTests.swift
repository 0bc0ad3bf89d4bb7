import HTTPTypes
import Testing

@testable import AuthCore

@Suite("InterceptorChain")
struct InterceptorChainTests {
  private struct Appending: RequestAdapter {
    let word: String

    func adapt(_ request: APIRequest) async throws -> APIRequest {
      var request = request
      request.fields[.userAgent] = (request.fields[.userAgent] ?? "") + word
      return request
    }
  }

  private struct Saying: RequestRetrier {
    let decision: RetryDecision

    func decide(after attempt: Attempt) async throws -> RetryDecision { decision }
  }

  private func client(_ api: FakeAPI, _ chain: InterceptorChain, attempts: Int = 5) throws -> APIClient {
    var options = APIOptions()
    options.mostAttempts = attempts
    return APIClient(base: try WebURL("https://api.example"), transport: api, interceptor: chain, options: options)
  }

  @Test("adapters work one after the other, each time on the request as it was made")
  func order() async throws {
    let api = FakeAPI(204)
    let chain = InterceptorChain(
      adapters: [Appending(word: "a"), Appending(word: "b")], retriers: [Saying(decision: .sendAgain())])
    _ = try await client(api, chain, attempts: 2).response(to: .get("x"))
    #expect(api.requests.map { $0.fields[.userAgent] } == ["ab", "ab"])
  }

  @Test("the first retrier that requests a retry decides")
  func first() async throws {
    let again = RetryDecision.sendAgain(after: .seconds(7))
    let chain = InterceptorChain(
      retriers: [Saying(decision: .accept), Saying(decision: again), Saying(decision: .sendAgain())])
    #expect(try await chain.decide(after: Attempt(.get("x"), outcome: .response(.made(200)))) == again)
    #expect(try await InterceptorChain().decide(after: Attempt(.get("x"), outcome: .response(.made(500)))) == .accept)
  }

  @Test("a retrier that never has enough is stopped by the limit", arguments: [1, 3])
  func limit(attempts: Int) async throws {
    let api = FakeAPI(200)
    let chain = InterceptorChain(retriers: [Saying(decision: .sendAgain())])
    #expect(try await client(api, chain, attempts: attempts).response(to: .get("x")).status == 200)
    #expect(api.requests.count == attempts)
  }

  @Test("a request that fails transiently, and then for its token, is sent until both are fixed")
  func combined() async throws {
    let source = FakeCredentials()
    let api = ScriptedTransport([
      .failure(.unreachable(detail: "refused")), .response(503), .response(401), .response(200, "1"),
    ])
    let token = TokenInterceptor(source)
    let chain = InterceptorChain(
      adapters: [token], retriers: [token, TransientRetrier(pauses: [.zero, .zero])])
    let client = APIClient(base: try WebURL("https://api.example"), transport: api, interceptor: chain)
    #expect(try await client.send(.get("x"), as: Int.self).value == 1)
    #expect(api.requests.map { $0.fields[.authorization] } == ["Bearer A1", "Bearer A1", "Bearer A1", "Bearer A2"])
    #expect(source.rejected == ["A1"])
  }

  @Test(
    "transient failures, and when they are safe to repeat (RFC 9110, section 9.2.2)",
    arguments: [
      (.get, .response(.made(503)), true), (.post, .response(.made(503)), false), (.put, .response(.made(429)), true),
      (.get, .response(.made(500)), true), (.get, .response(.made(501)), false), (.get, .response(.made(200)), false),
      (.post, .failure(.unreachable(detail: "")), true), (.post, .failure(.unresolved(host: "", detail: "")), true),
      (.get, .failure(.broken(detail: "")), true), (.post, .failure(.broken(detail: "")), false),
      (.delete, .failure(.timedOut(detail: "")), true), (.post, .failure(.timedOut(detail: "")), false),
      (.get, .failure(.tls(detail: "")), false),
    ] as [(HTTPRequest.Method, TransferOutcome, Bool)])
  func transient(method: HTTPRequest.Method, outcome: TransferOutcome, isRepeated: Bool) async throws {
    let retrier = TransientRetrier(pauses: [.seconds(1), .seconds(2)])
    let request = APIRequest(method, "x")
    let decisions = [[], [outcome], [outcome, outcome]].map { Attempt(request, outcome: outcome, earlier: $0) }
    var said: [RetryDecision] = []
    for attempt in decisions { said.append(try await retrier.decide(after: attempt)) }
    let pauses: [RetryDecision] = [.sendAgain(after: .seconds(1)), .sendAgain(after: .seconds(2)), .accept]
    #expect(said == (isRepeated ? pauses : [.accept, .accept, .accept]))
  }

  @Test(
    "a pause that the server states is kept, but not a long one (RFC 9110, section 10.2.3)",
    arguments: [("7", .sendAgain(after: .seconds(7))), ("61", .accept), ("0", .sendAgain(after: .seconds(1)))]
      as [(String, RetryDecision)])
  func statedPause(value: String, expected: RetryDecision) async throws {
    let outcome = TransferOutcome.response(TransferResponse(status: 503, fields: [.retryAfter: value]))
    let retrier = TransientRetrier(pauses: [.seconds(1)])
    #expect(try await retrier.decide(after: Attempt(.get("x"), outcome: outcome)) == expected)
  }
}
