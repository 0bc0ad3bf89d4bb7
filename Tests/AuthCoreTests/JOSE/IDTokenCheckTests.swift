import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("IDTokenCheck")
struct IDTokenCheckTests {
  private let check = IDTokenCheck(
    issuer: "https://id.example", clientID: "cli", nonce: "n", accessToken: Secret("A"), code: Secret("C"), maxAge: 60,
    now: .sample)

  /// Claims that are right, with some replaced; `null` takes one out.
  private func token(_ changes: String) throws -> SignedToken {
    let now = Int(Date.sample.timeIntervalSince1970)
    let right = #"""
      {"iss":"https://id.example","sub":"alice","aud":"cli","exp":\#(now + 60),"iat":\#(now),"auth_time":\#(now),\#
      "nonce":"n"}
      """#
    guard case .object(var members) = try JSONValue(parsing: Array(right.utf8)),
      case .object(let replaced) = try JSONValue(parsing: Array(changes.utf8))
    else { throw Unexpected("nothing of the kind") }
    members.merge(replaced) { $1 }
    return try SignedToken(try TestSigner().token(try JSONValue.object(members).text()))
  }

  @Test(
    "claims are checked as OpenID Connect Core, section 3.1.3.7 asks",
    arguments: [
      ("{}", nil), (#"{"aud":["x","cli"],"azp":"cli"}"#, nil), (#"{"aud":["cli"]}"#, nil),
      (
        #"{"iss":"https://id.example/"}"#,
        "is from a different issuer: 'https://id.example/', not 'https://id.example'"
      ),
      (#"{"iss":null}"#, "is from a different issuer: '', not 'https://id.example'"),
      (#"{"sub":null}"#, "does not say who is logged in (sub)"),
      (#"{"sub":""}"#, "does not say who is logged in (sub)"),
      (#"{"aud":"x"}"#, "is for another client: 'x', not 'cli'"),
      (#"{"aud":null}"#, "is for another client: '', not 'cli'"),
      (#"{"aud":["cli",1]}"#, "is for another client: '', not 'cli'"),
      (#"{"azp":"x"}"#, "is for another client (azp): 'x', not 'cli'"),
      (#"{"aud":["cli","x"]}"#, "is for several clients and does not say which one got it (azp)"),
      (#"{"exp":null}"#, "has no expiry"), (#"{"iat":null}"#, "does not say when it was issued (iat)"),
      (#"{"nonce":"x"}"#, "belongs to a different login (nonce): 'x', not 'n'"),
      (#"{"nonce":null}"#, "belongs to a different login (nonce): '', not 'n'"),
      (#"{"auth_time":null}"#, "does not say when the person logged in (auth_time), although max_age asks for it"),
      (#"{"auth_time":0}"#, "does not say when the person logged in (auth_time), although max_age asks for it"),
      (
        #"{"at_hash":"x"}"#,
        "belongs to another access token (at_hash): 'x', not 'VZrq0IJk1XldOQlxjN0Fqw'"
      ),
      (
        #"{"at_hash":1}"#,
        "belongs to another access token (at_hash): '', not 'VZrq0IJk1XldOQlxjN0Fqw'"
      ),
      (
        #"{"c_hash":"x"}"#,
        "belongs to another authorization code (c_hash): 'x', not 'ayPA1fNdGxH5toPwsKYXNQ'"
      ),
      // The left halves of the SHA-256 of "A" and "C".
      (
        #"{"at_hash":"VZrq0IJk1XldOQlxjN0Fq9gMjIJVl9BJ","c_hash":"x"}"#,
        "belongs to another access token (at_hash): 'VZrq0IJk1XldOQlxjN0Fq9gMjIJVl9BJ', not 'VZrq0IJk1XldOQlxjN0Fqw'"
      ),
      (#"{"at_hash":"VZrq0IJk1XldOQlxjN0Fqw","c_hash":"ayPA1fNdGxH5toPwsKYXNQ"}"#, nil),
    ] as [(String, String?)])
  func claims(changes: String, reason: String?) throws {
    #expect(check.reasonToRefuse(try token(changes)) == reason)
  }

  @Test(
    "times are compared with five minutes of leeway",
    arguments: [
      ("exp", -299, nil), ("exp", -300, "has expired 5m ago (exp): check this machine's clock"),
      ("iat", 299, nil), ("iat", 300, "is from the future, by 5m (iat): check this machine's clock"),
      ("nbf", 300, nil), ("nbf", 301, "is not valid for another 5m 1s (nbf): check this machine's clock"),
      ("auth_time", -360, nil), ("auth_time", -361, "is from a login 6m 1s ago, and max_age allows 1m"),
    ] as [(String, Int, String?)])
  func times(claim: String, offset: Int, reason: String?) throws {
    let time = Int(Date.sample.timeIntervalSince1970) + offset
    #expect(check.reasonToRefuse(try token(#"{"\#(claim)":\#(time)}"#)) == reason)
  }

  @Test("claims that were not requested are not checked, an auth_time of 0 among them (real-servers.md, 29)")
  func unasked() throws {
    var lenient = check
    lenient.nonce = nil
    lenient.maxAge = nil
    lenient.issuer = nil
    #expect(lenient.reasonToRefuse(try token(#"{"nonce":"other","auth_time":null,"iss":null}"#)) == nil)
    #expect(lenient.reasonToRefuse(try token(#"{"nonce":"other","auth_time":0,"iss":null}"#)) == nil)
  }
}
