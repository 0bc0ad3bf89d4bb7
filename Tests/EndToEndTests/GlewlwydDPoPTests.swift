import Foundation
import TestSupport
import Testing

extension GlewlwydTests {
  @Test("DPoP with nonces of both kinds, and an ID token whose signature verifies, at a server that is not ours")
  func boundTokens() throws {
    let server = try Glewlwyd(accessLifetime: 60, dpop: true)
    let place = try place(server, "dpop = true")
    try browserLogin(place, server)
    let first = try place.pair("real")
    #expect(first.string("token_type")?.lowercased() == "dpop")
    #expect(first.string("subject")?.isEmpty == false)
    let call = try place.run("call", "-v", "userinfo")
    call.expect(0)
    #expect(try call.json().string("sub") == first.string("subject"))
    #expect(!call.error.contains("eyJ"), "\(call.error)")
    let refresh = try place.run("refresh", "real")
    refresh.expect(0)
    let second = try place.pair("real")
    #expect(second.string("access_token") != first.string("access_token"))
    #expect(second.string("dpop_jkt") == first.string("dpop_jkt"))
    #expect(try place.run("call", "userinfo").status == 0)
  }
}
