import Foundation
import TestSupport
import Testing

@Suite("the first login with one URL, end to end")
struct FirstLoginTests {
  /// The item of the registered client, as `secret-tool` finds it; nil where there is none.
  private func registration(_ place: Workplace) throws -> JSONObject? {
    let words = ["application", "authctl", "kind", "registration", "issuer", place.lab.origin]
    guard try place.session.run("secret-tool", ["search"] + words).isEmpty == false else { return nil }
    return try JSONObject(Data(place.session.run("secret-tool", ["lookup"] + words).utf8))
  }

  @Test("registers a client in the keyring, logs in and calls; logout leaves the client, profile remove ends it")
  func life() throws {
    let place = try Workplace(lab: ["--registration"])
    let origin = place.lab.origin
    try place.lab.change(
      #"{"resource_metadata":true,"resource_metadata_url":"\#(origin)/resource-metadata","exact_redirect_uri":true}"#)
    let login = try place.run(["login", origin + "/api"], environment: place.browser())
    try #require(login.status == 0, "\(login.error)")
    let name = "127.0.0.1-\(place.lab.port)"
    let client = try #require(try registration(place)?.string("client_id"))
    #expect(login.error.contains("registered as \(client)"), "\(login.error)")
    #expect(try place.stored(name, kind: "registration") == nil, "the item belongs to the issuer")
    #expect(try String(contentsOf: place.file(name), encoding: .utf8).contains("\nclient_id") == false)
    let call = try place.run("call", "/me")
    call.expect(0)
    #expect(try call.json().string("client_id") == client)

    let logout = try place.run("logout", name)
    logout.expect(0)
    #expect(try registration(place)?.string("client_id") == client)
    let remove = try place.run("profile", "remove", name)
    remove.expect(0)
    #expect(try registration(place) == nil)
    #expect(try place.lab.count("registration.delete.ok") == 1)
    let gone = try place.lab.post("/token", form: [("grant_type", "refresh_token"), ("client_id", client)])
    #expect(try gone.string("error") == "invalid_client")
  }
}
