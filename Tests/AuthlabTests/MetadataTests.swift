import Foundation
import TestSupport
import Testing

@Suite struct MetadataTests {
  private static let wellKnown = "/.well-known/oauth-protected-resource"

  @Test(
    "puts the API's metadata where it is wanted (RFC 9728, section 3.1)",
    arguments: [
      ("path", 200, 404), ("root", 404, 200), ("both", 200, 200), ("neither", 404, 404),
    ])
  func placeOfAPIMetadata(place: String, path: Int, root: Int) throws {
    let lab = try Authlab()
    try lab.change(#"{"resource_metadata":true,"resource_metadata_at":"\#(place)"}"#)
    #expect(try lab.send("GET", Self.wellKnown + "/api").status == path)
    #expect(try lab.send("GET", Self.wellKnown).status == root)
    #expect(try lab.send("GET", "/resource-metadata").status == 200)
  }

  @Test("lists authorization servers that do not exist, the true one first")
  func absentServers() throws {
    let lab = try Authlab()
    try lab.change(#"{"resource_metadata":true,"more_authorization_servers":50000}"#)
    let answer = try lab.send("GET", Self.wellKnown + "/api")
    #expect(answer.body.count > 1_000_000)
    let servers = try #require(try answer.json()["authorization_servers"] as? [String])
    #expect(servers.count == 50001)
    #expect(servers.prefix(2) == [lab.origin, "https://id-0.example"])
  }

  @Test("replaces members of both documents of the authorization server")
  func replacedMembers() throws {
    let lab = try Authlab()
    try lab.change(#"{"discovery_members":"{\"token_endpoint\":\"http://a.example/t\",\"scopes_supported\":null}"}"#)
    for document in ["oauth-authorization-server", "openid-configuration"] {
      let members = try lab.send("GET", "/.well-known/\(document)").json()
      #expect(members["token_endpoint"] as? String == "http://a.example/t")
      #expect(members["scopes_supported"] == nil)
      #expect(members["issuer"] as? String == lab.origin)
    }
  }

  @Test("makes a document longer than it is, with all its members")
  func longDocument() throws {
    let lab = try Authlab()
    try lab.fail(#"{"endpoint":"discovery","kind":"pad","bytes":1000,"count":1}"#)
    let members = try lab.send("GET", "/.well-known/openid-configuration").json()
    #expect((members["padding"] as? String)?.count == 1000)
    #expect(members["issuer"] as? String == lab.origin)
    #expect(try lab.count("discovery.openid.ok") == 1)
  }

  @Test("challenges other methods than GET only, and at any length")
  func challengedMethods() throws {
    let lab = try Authlab()
    for (status, type) in [(405, "application/json"), (200, "text/html; charset=utf-8")] {
      try lab.change(#"{"get_without_token_status":\#(status),"challenge_padding":100000}"#)
      let answer = try lab.send("GET", "/api/me")
      #expect(answer.status == status)
      #expect(answer.header("content-type") == type)
      #expect(answer.header("www-authenticate") == nil)
      let challenge = try lab.send("POST", "/api/me")
      #expect(challenge.status == 401)
      #expect((challenge.header("www-authenticate") ?? "").utf8.count > 100_000)
    }
    let token = try lab.logIn().access
    #expect(try lab.get("/api/me", token: token).status == 200)
  }

  @Test("issues access tokens for the resource that was asked for (RFC 8707, section 2.2)")
  func requestedResource() throws {
    let lab = try Authlab(["--jwt-access-tokens"])
    let form = [
      (name: "grant_type", value: "password"), ("username", "alice"), ("password", "alice-pass"), ("client_id", "cli"),
    ]
    let audience = { (token: String) throws -> Any? in
      let part = token.split(separator: ".")[1].replacing("-", with: "+").replacing("_", with: "/")
      let padded = part + String(repeating: "=", count: (4 - part.count % 4) % 4)
      let claims = try JSONSerialization.jsonObject(with: Data(base64Encoded: String(padded)) ?? Data())
      return (claims as? [String: Any])?["aud"]
    }
    let api = (name: "resource", value: lab.origin + "/api")
    let tokens = try TokenPair(lab.post("/token", form: form + [api]))
    #expect(try audience(tokens.access) as? String == api.value)
    let both = try TokenPair(lab.post("/token", form: form + [api, ("resource", "urn:x")]))
    #expect(try audience(both.access) as? [String] == [api.value, "urn:x"])
    let refresh = [(name: "grant_type", value: "refresh_token"), ("client_id", "cli")]
    let narrowed = try lab.post("/token", form: refresh + [("refresh_token", both.refresh), ("resource", "urn:x")])
    #expect(try audience(TokenPair(narrowed).access) as? String == "urn:x")
    let wider = try lab.post("/token", form: refresh + [("refresh_token", tokens.refresh), ("resource", "urn:x")])
    #expect(try wider.string("error") == "invalid_target")
    #expect(try lab.post("/token", form: form + [("resource", "x")]).string("error") == "invalid_target")
    try lab.change(#"{"required_audience":"\#(api.value)"}"#)
    #expect(try lab.get("/api/me", token: tokens.access).status == 200)
    #expect(try lab.get("/api/me", token: TokenPair(narrowed).access).status == 401)
    try lab.change(#"{"token_audience":"https://other.example"}"#)
    let wrong = try TokenPair(lab.post("/token", form: form + [api]))
    #expect(try audience(wrong.access) as? String == "https://other.example")
  }
}
