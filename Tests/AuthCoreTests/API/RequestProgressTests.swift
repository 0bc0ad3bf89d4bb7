import HTTPTypes
import Testing

@testable import AuthCore

@Suite("RequestProgress")
struct RequestProgressTests {
  private static let follows = RedirectPolicy.follow(keepingMethod: false)
  private let token = APICredential(Secret("A1"))

  private func progress(
    _ url: String = "https://api.example/v1", fields: HTTPFields = [:], redirects: RedirectPolicy = follows
  ) throws -> RequestProgress {
    let authorization = AuthorizedSender.Authorization(
      TwoCredentials(), origins: [try WebURL("https://api.example").origin], refusals: RefusalRule())
    return RequestProgress(
      Transfer(method: .post, url: try WebURL(url), fields: fields, body: .bytes([1])), authorization, redirects)
  }

  /// What follows from a response, in a word.
  private func step(
    _ progress: RequestProgress, _ status: Int, location: String? = nil, _ verdict: RefusalRule.Verdict = .usable,
    of credential: APICredential? = nil
  ) throws -> String {
    var fields: HTTPFields = [:]
    fields[.location] = location
    switch try progress.step(after: TransferResponse(status: status, fields: fields), verdict, of: credential) {
    case .finish: return "finish"
    case .follow(let redirection): return "follow \(redirection.url)"
    case .replay(let token): return "replay \(token.exposed)"
    case .proveAgain: return "prove again"
    }
  }

  /// A redirect to an address.
  private func redirection(_ location: String, status: Int = 307) throws -> Redirection {
    try #require(
      try Redirection(
        TransferResponse(status: status, fields: [.location: location]), from: WebURL("https://api.example/v1"),
        method: .post, isForm: true))
  }

  @Test("a refused token is replaced once; the second refusal is the result (invariant 8)")
  func replay() throws {
    var progress = try progress()
    #expect(try step(progress, 401, .refused, of: token) == "replay A1")
    progress.replay(replacing: token.token, refusedBy: TransferResponse(status: 401))
    #expect(progress.rejected == Secret("A1"))
    #expect(try step(progress, 401, .refused, of: APICredential(Secret("A2"))) == "finish")
  }

  @Test("a token that is not refreshed for now is not replaced (invariant 8)")
  func paused() throws {
    var paused = token
    paused.refreshPause = .seconds(300)
    #expect(try step(progress(), 401, .refused, of: paused) == "finish")
  }

  @Test("a request without a token, and a token that is not enough, are not replayed")
  func notReplayed() throws {
    #expect(try step(progress(), 401, .refused) == "finish")
    #expect(try step(progress(), 403, .insufficient(InsufficientAuthorization(.scope)), of: token) == "finish")
  }

  @Test("a redirect is followed if the policy says so")
  func redirects() throws {
    #expect(try step(progress(), 307, location: "/x") == "follow https://api.example/x")
    #expect(try step(progress(redirects: .response), 307, location: "/x") == "finish")
    #expect(try step(progress(), 307) == "finish")
    #expect(throws: AuthError.self) { try step(progress(), 307, location: "http://[") }
  }

  @Test(
    "the token goes to the profile's origins, and not beside a field of its name (invariant 9)",
    arguments: [
      ("https://api.example/v1", [:], true), ("https://api.example:8443/v1", [:], false),
      ("https://evil.example/v1", [:], false), ("https://api.example/v1", [.authorization: "Own x"], false),
    ] as [(String, HTTPFields, Bool)])
  func carriesToken(url: String, fields: HTTPFields, expected: Bool) throws {
    #expect(try (progress(url, fields: fields).authorization != nil) == expected)
  }

  @Test("a redirect that has left the origin loses the token permanently (invariant 9)")
  func leavesOrigin() throws {
    var progress = try progress(fields: [.accept: "a", .cookie: "c"])
    #expect(try progress.follow(redirection("https://api.example/v2")) == [])
    #expect(progress.authorization != nil)
    #expect(try progress.follow(redirection("https://other.example/")) == ["Cookie"])
    #expect(progress.authorization == nil)
    #expect(progress.transfer.fields == [.accept: "a"])
    #expect(try progress.follow(redirection("https://api.example/v1")) == [])
    #expect(progress.authorization == nil)
  }

  @Test("a redirect from https to http is an error (invariant 9)")
  func downgrade() throws {
    var progress = try progress()
    let error = #expect(throws: AuthError.self) { try progress.follow(redirection("http://api.example/")) }
    guard case .origin = error else { throw Unexpected(error) }
  }

  @Test("the fifty-first redirect is an error")
  func endless() throws {
    var progress = try progress()
    for _ in 0..<50 { _ = try progress.follow(redirection("/again")) }
    let error = #expect(throws: AuthError.self) { try progress.follow(redirection("/again")) }
    guard case .failed = error else { throw Unexpected(error) }
  }

  @Test(
    "a redirect to a GET drops the body; the method stays if the user has named it",
    arguments: [(false, HTTPRequest.Method.get), (true, .post)])
  func becomesGet(keepingMethod: Bool, expected: HTTPRequest.Method) throws {
    var progress = try progress(redirects: .follow(keepingMethod: keepingMethod))
    _ = try progress.follow(redirection("/x", status: 303))
    #expect(progress.transfer.method == expected)
    #expect(progress.transfer.body == nil)
  }

  @Test("a request is proved again with further nonces a limited number of times (real-servers.md, 24)")
  func nonces() throws {
    var progress = try progress()
    let demand = TransferResponse(
      status: 401, fields: [.wwwAuthenticate: "DPoP", .dpopNonce: "n2"])
    #expect(progress.isAskedForNonce(by: demand, sentNonce: "n1"))
    #expect(!progress.isAskedForNonce(by: demand, sentNonce: "n2"))
    #expect(try progress.proveAgain() == .zero)
    // A demand that no error names is believed once.
    #expect(!progress.isAskedForNonce(by: demand, sentNonce: "n1"))
    for _ in 1..<NonceRetries.limit { _ = try progress.proveAgain() }
    let error = #expect(throws: AuthError.self) { try progress.proveAgain() }
    guard case .tryLater = error else { throw Unexpected(error) }
    progress.replay(replacing: token.token, refusedBy: TransferResponse(status: 401))
    #expect(progress.isAskedForNonce(by: demand, sentNonce: "n1"))
    #expect(try progress.proveAgain() == .zero)
  }

  @Test("a nonce that is named as the reason is asked for as long as there is one")
  func namedNonce() throws {
    var progress = try progress()
    _ = try progress.proveAgain()
    var demand = TransferResponse(
      status: 401, fields: [.wwwAuthenticate: #"DPoP error="use_dpop_nonce""#, .dpopNonce: "n2"])
    #expect(progress.isAskedForNonce(by: demand, sentNonce: "n2"))
    demand.fields[.dpopNonce] = nil
    #expect(!progress.isAskedForNonce(by: demand, sentNonce: nil))
  }

  @Test("each attempt has what is left of the time")
  func timeout() throws {
    var progress = try progress()
    try progress.begin(within: .seconds(3))
    #expect(progress.transfer.network.timeout == .seconds(3))
  }
}
