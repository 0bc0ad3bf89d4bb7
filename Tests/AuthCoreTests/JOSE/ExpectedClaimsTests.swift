import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("ExpectedClaims")
struct ExpectedClaimsTests {
  private var check: ExpectedClaims {
    get throws {
      var check = ExpectedClaims(now: .sample)
      check.issuer = "https://id.example"
      check.clientID = "cli"
      check.api = [try WebURL("https://api.example/v1")]
      check.scope = ["openid", "offline_access", "read", "write"]
      check.subject = "alice"
      check.sendsProofs = false
      return check
    }
  }

  private func messages(_ claims: String, _ check: ExpectedClaims, _ kind: TokenKind = .access) throws -> [String] {
    try check.findings(kind, JSONValue(parsing: claims.utf8), expiresIn: nil).map { "\($0.claim): \($0.message)" }
  }

  @Test(
    "each claim of an access token is compared",
    arguments: [
      ("{}", nil), (#"{"iss":"https://id.example"}"#, nil),
      (
        #"{"iss":"https://id.example/"}"#,
        "iss: iss is https://id.example/; this profile's issuer is https://id.example"
      ),
      (#"{"aud":"https://api.example"}"#, nil), (#"{"aud":["x","https://api.example/v2"]}"#, nil),
      (#"{"aud":"api://a"}"#, "aud: aud is api://a; this profile calls https://api.example/v1"),
      (
        #"{"aud":["api://a","https://b.example"]}"#,
        "aud: aud is api://a, https://b.example; this profile calls https://api.example/v1"
      ),
      (#"{"aud":["account","api://b"]}"#, nil),
      (#"{"azp":"cli"}"#, nil), (#"{"azp":"other"}"#, "azp: azp is other; this profile's client is cli"),
      (#"{"client_id":"other"}"#, "client_id: client_id is other; this profile's client is cli"),
      (#"{"scope":"read write"}"#, nil), (#"{"scp":["read","write"]}"#, nil),
      (#"{"scope":"read"}"#, "scope: scope lacks write, which this profile requests"),
      (#"{"scp":"read"}"#, "scp: scp lacks write, which this profile requests"), (#"{"sub":"bob"}"#, nil),
      (
        #"{"cnf":{"jkt":"K"}}"#,
        "cnf: cnf binds the token to a DPoP key (RFC 9449); this profile sends no proof of it"
      ),
      (
        #"{"cnf":{"x5t#S256":"T"}}"#,
        "cnf: cnf binds the token to a client certificate (RFC 8705); this profile has none"
      ),
    ])
  func access(claims: String, message: String?) throws {
    #expect(try messages(claims, check) == [message].compactMap { $0 })
  }

  @Test("an audience that the profile requests is the expected one; an api is not, then (RFC 8707)")
  func audience() throws {
    var check = try check
    check.audience = ["api://a"]
    #expect(try messages(#"{"aud":"api://a"}"#, check).isEmpty)
    #expect(try messages(#"{"aud":"https://api.example"}"#, check).isEmpty)
    #expect(try messages(#"{"aud":"api://b"}"#, check) == ["aud: aud is api://b; this profile requests it for api://a"])
    check.audience = []
    check.api = []
    #expect(try messages(#"{"aud":"api://b"}"#, check).isEmpty)
  }

  @Test("times: expired, not valid yet, from the future; five minutes are tolerated")
  func times() throws {
    let now = Int(Date.sample.timeIntervalSince1970)
    let check = try check
    #expect(
      check.findings(.access, nil, expiresIn: -3600) == [ClaimFinding("exp", "the token has expired 1h ago")])
    #expect(check.findings(.access, nil, expiresIn: 1).isEmpty)
    #expect(
      try messages(#"{"nbf":\#(now + 600),"iat":\#(now + 7200)}"#, check) == [
        "nbf: the token is not valid yet, for another 10m: check this machine's clock",
        "iat: the token is from the future, by 2h: check this machine's clock",
      ])
    #expect(try messages(#"{"nbf":\#(now + 299),"iat":\#(now + 299)}"#, check).isEmpty)
  }

  @Test("the granted scope counts if the token states none")
  func granted() throws {
    var check = try check
    check.granted = ["read"]
    #expect(try messages("{}", check) == ["scope: scope lacks write, which this profile requests"])
    #expect(try messages(#"{"scope":"read write"}"#, check).isEmpty)
  }

  @Test("the key and the certificate of the session are compared (RFC 9449, section 6.1; RFC 8705, section 3.1)")
  func confirmation() throws {
    var check = try check
    (check.keyThumbprint, check.sendsProofs, check.certificateThumbprint) = ("K", true, "T")
    #expect(try messages(#"{"cnf":{"jkt":"K","x5t#S256":"T"}}"#, check).isEmpty)
    #expect(
      try messages(#"{"cnf":{"jkt":"L","x5t#S256":"U"}}"#, check) == [
        "cnf: cnf.jkt is L; this session's key is K",
        "cnf: cnf.x5t#S256 is U; this profile's certificate is T",
      ])
    #expect(
      try messages(#"{"sub":"a"}"#, check) == [
        "cnf: cnf.jkt is missing, although the token type is DPoP (RFC 9449, section 6.1)"
      ])
    #expect(check.findings(.access, nil, expiresIn: nil).isEmpty)
  }

  @Test("without a profile only the times count")
  func nothingExpected() throws {
    let claims = #"{"iss":"i","aud":"a","azp":"p","scope":"s","cnf":{"jkt":"K","x5t#S256":"T"}}"#
    #expect(try messages(claims, ExpectedClaims(now: .sample)).isEmpty)
  }

  @Test("an ID token is for the client, has the session's user, and may have expired")
  func idToken() throws {
    let claims = #"{"aud":"x","sub":"bob","scope":"read"}"#
    #expect(
      try messages(claims, check, .id) == [
        "aud: aud is x; this profile's client is cli", "sub: sub is bob; this session's user is alice",
      ])
    #expect(try check.findings(.id, nil, expiresIn: -1).isEmpty)
  }

  @Test("of a refresh token only the expiry counts")
  func refreshToken() throws {
    let claims = try JSONValue(parsing: #"{"iss":"x"}"#.utf8)
    #expect(try check.findings(.refresh, claims, expiresIn: 1).isEmpty)
    #expect(try check.findings(.refresh, claims, expiresIn: -1).map(\.claim) == ["exp"])
  }

  @Test("a claim that could control a terminal is escaped")
  func escaped() throws {
    #expect(
      try messages(#"{"azp":"\u001b[2J"}"#, check) == [#"azp: azp is \u{1b}[2J; this profile's client is cli"#])
  }

  @Test(
    "values mean the same whatever their form",
    arguments: [
      ("scope", #""a b""#, #""b a""#, true), ("scope", #""a b""#, #"["a","b"]"#, true),
      ("scope", #""a""#, #""a b""#, false), ("aud", #""a""#, #"["a"]"#, true),
      ("aud", #"["a","b"]"#, #"["b","a"]"#, true), ("name", #""a b""#, #""b a""#, false),
      ("exp", "1", #""1""#, true), ("exp", "1", "1.5", false), ("sub", #""a""#, "true", false),
    ])
  func same(name: String, one: String, other: String, isSame: Bool) throws {
    let one = try JSONValue(parsing: one.utf8)
    let other = try JSONValue(parsing: other.utf8)
    #expect(ClaimComparison.isSame(name, one, other) == isSame)
    #expect(ClaimComparison.isSame(name, other, one) == isSame)
  }

  @Test("introspection is compared with the token; an inactive one is a finding")
  func introspection() throws {
    let token = try JSONValue(parsing: #"{"sub":"alice","scope":"api","jti":"1"}"#.utf8)
    let same = try JSONValue(parsing: #"{"active":true,"sub":"alice","scope":"api"}"#.utf8)
    let other = try JSONValue(parsing: #"{"active":true,"sub":"alice","scope":"api write"}"#.utf8)
    #expect(ClaimComparison.introspection(same, of: token).isEmpty)
    #expect(
      ClaimComparison.introspection(other, of: token) == [
        ClaimFinding("scope", "scope is api; introspection says api write")
      ])
    let inactive = JSONValue.object(["active": .bool(false)])
    #expect(
      ClaimComparison.introspection(inactive, of: nil) == [
        ClaimFinding("active", "the server reports that the token is not active")
      ])
  }

  @Test("userinfo is compared with the ID token, else its sub with the access token (OpenID Connect Core, 5.3.2)")
  func userInfo() throws {
    let response = try JSONValue(parsing: #"{"sub":"bob","aud":"x","email":"b@x"}"#.utf8)
    let token = try JSONValue(parsing: #"{"sub":"alice","aud":"cli","email":"b@x"}"#.utf8)
    let finding = ClaimFinding("sub", "sub is alice; userinfo says bob")
    #expect(ClaimComparison.userInfo(response, of: token, access: nil) == [finding])
    #expect(ClaimComparison.userInfo(response, of: nil, access: token) == [finding])
    #expect(ClaimComparison.userInfo(response, of: nil, access: nil).isEmpty)
  }
}
