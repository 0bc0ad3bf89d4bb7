import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("the subject token of a workload")
struct SubjectTokenTests {
  /// Prints texts in turn, and counts how often it was run.
  private final class FakeCommand: SecretCommand {
    private let results: Mutex<[Result<String, SecretCommandFailure>]>
    private let words = Mutex<[[String]]>([])

    init(_ results: [Result<String, SecretCommandFailure>]) { self.results = Mutex(results) }

    var runs: [[String]] { words.withLock { $0 } }

    func output(of words: [String]) async throws(SecretCommandFailure) -> String {
      self.words.withLock { $0.append(words) }
      let result = results.withLock { $0.isEmpty ? .failure(.failed("the script has ended")) : $0.removeFirst() }
      return try result.get()
    }
  }

  private let folder: TemporaryDirectory
  private let file: String

  init() throws {
    folder = try TemporaryDirectory()
    file = folder.path.appending("token").string
    try folder.write("S1\n", to: "token")
  }

  private func server(
    _ transport: ScriptedTransport = ScriptedTransport(), command: any SecretCommand = NoSecretCommand(),
    _ change: (inout Profile) -> Void = { _ in }
  ) throws -> AuthorizationServer {
    let profile = try sampleProfile {
      $0.flow = .tokenExchange
      $0.subjectToken.file = file
      $0.network.timeout = .seconds(3600)
      change(&$0)
    }
    return AuthorizationServer(
      profile: profile, connection: connection(transport), secrets: MemorySecrets(), command: command)
  }

  private static func token(_ name: String, _ more: String = "") -> ScriptedTransport.Step {
    .response(200, #"{"access_token":"\#(name)","token_type":"bearer","expires_in":3600\#(more)}"#)
  }

  private func pair(_ flow: String = "token-exchange", refresh: String? = nil) -> TokenPair {
    var pair = samplePair(refresh: refresh)
    pair.flow = flow
    return pair
  }

  @Test("the file is read again for each exchange, with its type (RFC 8693, section 2.1); a refresh token is not kept")
  func exchanges() async throws {
    let transport = ScriptedTransport([Self.token("A2", #","refresh_token":"R2""#), Self.token("A3")])
    let refresher = OAuthRefresher(try server(transport) { $0.scope = ["a"] })
    #expect(refresher.canRefresh(pair()))
    let second = try await refresher.refresh(pair())
    #expect(second.refreshToken == nil && second.accessToken == Secret("A2"))
    try folder.write("S2", to: "token")
    _ = try await refresher.refresh(second)
    let fields = ["S1", "S2"].map {
      [
        "grant_type=urn:ietf:params:oauth:grant-type:token-exchange", "subject_token=\($0)",
        "subject_token_type=urn:ietf:params:oauth:token-type:jwt", "scope=a", "client_id=cli",
      ]
    }
    #expect(transport.requests.map(\.form) == fields)
  }

  @Test("in the jwt-bearer flow it is the assertion (RFC 7523, section 2.1)")
  func assertion() async throws {
    let transport = ScriptedTransport([Self.token("A2")])
    let refresher = OAuthRefresher(try server(transport) { $0.flow = .jwtBearer })
    _ = try await refresher.refresh(pair("jwt-bearer"))
    #expect(
      transport.requests.map(\.form) == [
        ["grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion=S1", "client_id=cli"]
      ])
  }

  @Test("without a source, an exchange can't be repeated; with a refresh token, that is used")
  func repeatable() async throws {
    #expect(!OAuthRefresher(try server { $0.subjectToken.file = nil }).canRefresh(pair()))
    let transport = ScriptedTransport([Self.token("A2", #","refresh_token":"R2""#)])
    let refreshed = try await OAuthRefresher(try server(transport)).refresh(pair(refresh: "R1"))
    #expect(transport.requests.first?.form.contains("refresh_token=R1") == true)
    #expect(refreshed.refreshToken == nil)
  }

  @Test("a login sends it, and the session can be repeated")
  func login() async throws {
    let transport = ScriptedTransport([Self.token("A1", #","refresh_token":"R1""#)])
    let server = try server(transport) { $0.subjectToken.type = "urn:example:spiffe" }
    let subject = try #require(try await server.subjectToken())
    let pair = try await Login(server, metadata: nil, clientSecret: nil).exchange(ofWorkload: subject)
    #expect(transport.requests.first?.form.contains("subject_token_type=urn:example:spiffe") == true)
    #expect(pair.refreshToken == nil && OAuthRefresher(server).canRefresh(pair))
  }

  @Test("an empty token and one that has expired: try later, and nothing is sent", arguments: [true, false])
  func noToken(isEmpty: Bool) async throws {
    let expired = jwt(#"{"exp":\#(Int(Date.sample.timeIntervalSince1970) - 90)}"#).exposed
    try folder.write(isEmpty ? "\n" : expired, to: "token")
    let transport = ScriptedTransport([Self.token("A2")])
    let refresher = OAuthRefresher(try server(transport) { $0.endpoints.token = nil })
    do throws(RefreshFailure) {
      _ = try await refresher.refresh(pair())
      Issue.record("refreshed")
    } catch {
      guard case .tryLater(let explanation) = error.reason else { throw Unexpected("\(error)") }
      #expect(explanation.what == "the subject token \(file)")
      #expect(explanation.why == (isEmpty ? "it is empty" : "it expired 1m 30s ago"))
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("a token that is still valid, or whose expiry is unknown, is sent")
  func valid() async throws {
    let token = jwt(#"{"exp":\#(Int(Date.sample.timeIntervalSince1970) + 90)}"#)
    try folder.write(token.exposed, to: "token")
    #expect(try await server().subjectToken() == token)
  }

  @Test("a file that is missing, that others may change, or that is no token is an error of the profile")
  func unusable() async throws {
    let server = try server()
    func failure() async -> AuthError? { await #expect(throws: AuthError.self) { try await server.subjectToken() } }
    try folder.write("a b", to: "token")
    #expect(
      await failure()
        == .usage(
          .init(
            "the subject token \(file)", why: "it contains white space or other characters that no token has",
            hint: "give it alone")))
    try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: file)
    #expect(await failure()?.explanation.why == "other users may access it (mode 622)")
    try FileManager.default.removeItem(atPath: file)
    guard case .usage(let explanation)? = await failure() else { throw Unexpected("no error of the profile") }
    #expect(explanation.why == "there is no such file")
  }

  @Test("a command is run for each token with its arguments; its failures are told apart")
  func command() async throws {
    let command = FakeCommand([
      .success("S1\n"), .success("S2"), .failure(.failed("it ended with 1")), .failure(.notStarted("no such file")),
    ])
    let server = try server(command: command) {
      $0.subjectToken.file = nil
      $0.subjectToken.command = ["print-token", "-v"]
    }
    #expect(try await server.subjectToken() == Secret("S1"))
    #expect(try await server.subjectToken() == Secret("S2"))
    let failed = await #expect(throws: AuthError.self) { try await server.subjectToken() }
    guard case .tryLater(let later)? = failed else { throw Unexpected("\(String(describing: failed))") }
    #expect(later.what == "the subject token of print-token" && later.why == "it ended with 1")
    let missing = await #expect(throws: AuthError.self) { try await server.subjectToken() }
    guard case .usage(let usage)? = missing else { throw Unexpected("\(String(describing: missing))") }
    #expect(usage.hint == "check subject_token_command in the profile")
    #expect(command.runs == Array(repeating: ["print-token", "-v"], count: 4))
  }
}
