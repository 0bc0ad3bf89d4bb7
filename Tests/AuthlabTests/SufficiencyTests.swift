import Foundation
import TestSupport
import Testing

@Suite struct SufficiencyTests {
  @Test("refuses a scope that is too narrow (RFC 6750, section 3.1)", arguments: [(403, true), (401, false)])
  func narrowScope(status: Int, names: Bool) throws {
    let lab = try Authlab()
    try lab.change(
      #"{"required_scope":"api write","insufficient_scope_status":\#(status),"scope_in_challenge":\#(names)}"#)
    let answer = try lab.get("/api/me", token: try lab.logIn().access)
    #expect(answer.status == status)
    #expect(
      answer.header("www-authenticate")
        == "Bearer error=\"insufficient_scope\", error_description=\"The token's scope is too narrow.\""
        + (names ? ", scope=\"api write\"" : ""))
    #expect(try answer.string("error") == "insufficient_scope")
    #expect(try lab.get("/api/me", token: try lab.logIn(scope: "write api").access).status == 200)
    let bare = try lab.send("GET", "/api/me").header("www-authenticate")
    #expect(bare == "Bearer realm=\"authlab\"" + (names ? ", scope=\"api write\"" : ""))
  }

  @Test("requires another login, by its method and by its age (RFC 9470, section 3)")
  func stepUp() throws {
    let lab = try Authlab()
    let token = try lab.logIn().access
    try lab.change(#"{"required_acr":["gold","silver"]}"#)
    let answer = try lab.get("/api/me", token: token)
    #expect(answer.status == 401)
    #expect(
      answer.header("www-authenticate")
        == "Bearer error=\"insufficient_user_authentication\", error_description=\"Another login is needed.\", "
        + "acr_values=\"gold silver\"")
    try lab.change(#"{"required_acr":[],"required_max_age":0}"#)
    #expect(try lab.get("/api/me", token: token).header("www-authenticate")?.hasSuffix(", max_age=\"0\"") == true)
    try lab.change(#"{"required_max_age":600}"#)
    #expect(try lab.get("/api/me", token: token).status == 200)
    try lab.change(#"{"required_acr":["gold"],"granted_acr":"gold"}"#)
    #expect(try lab.get("/api/me", token: try lab.logIn().access).status == 200)
  }

  @Test("publishes the metadata of the API where it is set, with what is set (RFC 9728)")
  func resourceMetadata() throws {
    let lab = try Authlab()
    let (place, own) = ("/.well-known/oauth-protected-resource", "/resource-metadata")
    for path in [place, place + "/api", own] { #expect(try lab.send("GET", path).status == 404) }
    #expect(try lab.send("GET", "/api").header("www-authenticate") == "Bearer realm=\"authlab\"")
    try lab.change(#"{"resource_metadata":true,"resource_metadata_url":"\#(lab.origin)\#(own)"}"#)
    #expect(
      try lab.send("GET", "/api").header("www-authenticate")
        == "Bearer realm=\"authlab\", resource_metadata=\"\(lab.origin)\(own)\"")
    #expect(try lab.send("GET", place).status == 404)
    for path in [place + "/api", own] {
      let document = try lab.send("GET", path).json()
      #expect(document["resource"] as? String == lab.origin + "/api")
      #expect(document["authorization_servers"] as? [String] == [lab.origin])
    }
    try lab.change(#"{"resource_path":"","resource_members":"{\"scopes_supported\":null,\"x\":1}"}"#)
    let document = try lab.send("GET", place).json()
    #expect(document["resource"] as? String == lab.origin)
    #expect(document["scopes_supported"] == nil)
    #expect(document["x"] as? Int == 1)
  }
}
