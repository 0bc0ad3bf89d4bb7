import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("OAuthRefresher: ID tokens")
struct OAuthRefresherIDTokenTests {
  private let events = EventLog()

  private func refresh(_ idToken: String) async throws -> TokenPair {
    let transport = ScriptedTransport([.response(200, #"{"access_token":"A2","id_token":"\#(idToken)"}"#)])
    let server = AuthorizationServer(
      profile: try sampleProfile(), connection: connection(transport, events: events), secrets: MemorySecrets())
    var pair = samplePair()
    pair.subject = "alice"
    return try await OAuthRefresher(server).refresh(pair)
  }

  @Test("an ID token of the same issuer, subject and audience is fine (OpenID Connect Core, section 12.2)")
  func same() async throws {
    let token = try TestSigner().token(#"{"iss":"https://id.example","sub":"alice","aud":["cli"]}"#)
    #expect(try await refresh(token.exposed).accessToken == Secret("A2"))
    #expect(events.events.isEmpty)
  }

  @Test(
    "an ID token of another issuer, subject or client refuses the response",
    arguments: [
      (
        #"{"iss":"https://x.example","sub":"alice","aud":"cli"}"#,
        "is from a different issuer: 'https://x.example', not 'https://id.example'"
      ),
      (#"{"iss":"https://id.example","sub":"bob","aud":"cli"}"#, "is for a different person (sub): 'bob', not 'alice'"),
      (#"{"iss":"https://id.example","aud":"cli"}"#, "is for a different person (sub): '', not 'alice'"),
      (#"{"iss":"https://id.example","sub":"alice","aud":"x"}"#, "is for another client: 'x', not 'cli'"),
    ])
  func other(claims: String, reason: String) async throws {
    let token = try TestSigner().token(claims).exposed
    do {
      _ = try await refresh(token)
      Issue.record("it was believed")
    } catch RefreshFailure.uncertain(let error) {
      #expect(
        error
          == .refused(
            .init(
              "refreshing the token of work", why: "the ID token in the response \(reason)",
              hint: "the stored tokens are unchanged; log in again, and ask the server's operator")))
    }
  }

  @Test(
    "an unreadable ID token is ignored: nothing depends on it", arguments: ["no.jwt", "eyJhbGciOiJub25lIn0.e30."])
  func unreadable(text: String) async throws {
    let pair = try await refresh(text)
    #expect(pair.subject == "alice")
    #expect(events.events.count == 1)
  }
}
