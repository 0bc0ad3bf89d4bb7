import Foundation
import TestSupport
import Testing

@Suite struct DeviceTests {
  private func json(_ answer: LoopbackResponse) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
  }

  private func authorize(_ lab: Authlab) throws -> (device: String, user: String) {
    let answer = try json(lab.post("/device_authorization", form: [("client_id", "cli"), ("scope", "api")]))
    return (try #require(answer["device_code"] as? String), try #require(answer["user_code"] as? String))
  }

  private func poll(_ lab: Authlab, _ code: String, client: String = "cli") throws -> LoopbackResponse {
    let type = "urn:ietf:params:oauth:grant-type:device_code"
    return try lab.post("/token", form: [("grant_type", type), ("device_code", code), ("client_id", client)])
  }

  @Test("the codes are those of RFC 8628, section 3.2")
  func deviceCodes() throws {
    let lab = try Authlab()
    let answer = try json(lab.post("/device_authorization", form: [("client_id", "cli")]))
    #expect(
      answer.keys.sorted() == [
        "device_code", "expires_in", "interval", "user_code", "verification_uri", "verification_uri_complete",
      ])
    #expect(answer["verification_uri"] as? String == lab.origin + "/device")
    #expect(try lab.post("/device_authorization", form: [("client_id", "nobody")]).status == 401)
    #expect(try lab.send("GET", "/.well-known/openid-configuration").text.contains("/device_authorization"))
  }

  @Test("a decision on the page makes the poll succeed, once")
  func approval() throws {
    let lab = try Authlab()
    try lab.change(#"{"device_interval":0}"#)
    let codes = try authorize(lab)
    #expect(try poll(lab, codes.device).text.contains("authorization_pending"))
    #expect(try lab.send("GET", "/device?user_code=\(codes.user)").text.contains(codes.user))
    var form = [(name: "user_code", value: codes.user.lowercased()), ("decision", "allow"), ("username", "alice")]
    #expect(try lab.post("/device", form: form + [("password", "wrong")]).text.contains("wrong"))
    form.append(("password", "alice-pass"))
    #expect(try lab.post("/device", form: form).status == 200)
    #expect(try poll(lab, codes.device, client: "svc").status == 401)
    #expect(try poll(lab, codes.device).status == 200)
    #expect(try poll(lab, codes.device).text.contains("invalid_grant"))
    #expect(try lab.post("/device", form: form).status == 400)
  }

  @Test("polling too early slows down permanently; a denial and an expiry are reported")
  func earlyPolling() throws {
    let lab = try Authlab()
    let codes = try authorize(lab)
    for _ in 0..<2 { #expect(try poll(lab, codes.device).text.contains("slow_down")) }
    try lab.change(#"{"device_interval":0}"#)
    let other = try authorize(lab)
    try lab.decideDevices(#"{"decision":"deny"}"#)
    #expect(try poll(lab, other.device).text.contains("access_denied"))
    try lab.change(#"{"device_lifetime":0}"#)
    #expect(try poll(lab, authorize(lab).device).text.contains("expired_token"))
    #expect(throws: AuthlabError.self) { try lab.decideDevices("{}") }
  }
}
