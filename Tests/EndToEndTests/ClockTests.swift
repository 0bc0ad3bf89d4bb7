import Foundation
import TestSupport
import Testing

@Suite("a clock that is wrong, end to end")
struct ClockTests {
  private static let days = 3 * 86400

  private func status(_ place: Workplace, ahead seconds: Int = 0) throws -> JSONObject {
    try JSONObject.array(place.run("status", "--json", ahead: seconds).output)[0]
  }

  private func expiry(_ place: Workplace) throws -> Double {
    try Date(place.pair().string("expires_at") ?? "", strategy: .iso8601).timeIntervalSinceNow
  }

  @Test("set back by days after the login: the token is used as long as it lives, and not a moment longer")
  func setBack() throws {
    let place = try Workplace.loggedIn("refresh_before = \"0s\"", lab: ["--access-lifetime", "2"])
    let before = try place.stored()
    #expect(
      try status(place, ahead: -ClockTests.days).integer("clock_offset").map { abs($0 - ClockTests.days) <= 20 } == true
    )
    try Waiting.until("the token's end") { try status(place, ahead: -ClockTests.days).string("state") == "refreshable" }
    #expect(try expiry(place) <= 0)
    #expect(try place.stored() == before)
    try place.lab.change(#"{"access_lifetime":600}"#)
    let token = try place.run("token", ahead: -ClockTests.days)
    token.expect(0)
    #expect(try token.text == (place.pair().string("access_token") ?? "") + "\n")
    #expect(try place.stored() != before)
    for _ in 0..<2 { #expect(try place.run("call", "me", ahead: -ClockTests.days).status == 0) }
    let counters = try place.lab.counters()
    #expect(counters["token"] == 1 && counters["api.401"] == nil, "\(counters)")
  }

  @Test("set forward by days after the login: one refresh, and by its response the clock is known")
  func setForward() throws {
    let place = try Workplace.loggedIn()
    let doubtful = try place.run("status", ahead: ClockTests.days)
    #expect(doubtful.text.hasPrefix("work: refreshable\n"))
    #expect(doubtful.text.contains("  clock          the local clock may be 3d ahead of the server's: "))
    #expect(try status(place, ahead: ClockTests.days).isNull("clock_offset"))
    for _ in 0..<3 { #expect(try place.run("call", "me", ahead: ClockTests.days).status == 0) }
    let known = try status(place, ahead: ClockTests.days)
    #expect(known.string("state") == "valid")
    #expect(known.integer("clock_offset").map { abs($0 + ClockTests.days) <= 20 } == true)
    #expect((580...600).contains(known.integer("expires_in") ?? 0))
    #expect((580...601).contains(try expiry(place)))
    // Put right again: nothing is in doubt.
    #expect(try place.run("call", "me").status == 0)
    let right = try status(place)
    #expect(right.string("state") == "valid" && right.isNull("clock_offset"))
    #expect(try place.lab.counters()["token"] == 1)
  }

  @Test(
    "a clock that is wrong at the login, with and without a stated lifetime: the stored dates are right",
    arguments: [-3 * 86400, 3 * 86400], [[], ["--jwt-access-tokens", "--no-expires-in"]])
  func login(ahead: Int, lab: [String]) throws {
    let place = try Workplace(lab: lab)
    try place.makeProfile("work", "scope = [\"openid\"]")
    let login = try place.run(
      ["login", "work", "--password-stdin", "-v"], ahead: ahead, input: .text(Workplace.password))
    login.expect(0)
    let side = ahead < 0 ? "behind" : "ahead of"
    #expect(login.error.contains("the local clock is ") && login.error.contains(" \(side) the server's"))
    #expect((580...601).contains(try expiry(place)))
    try place.lab.reset()
    let wrongly = try status(place, ahead: ahead)
    #expect(wrongly.string("state") == "valid")
    #expect(wrongly.integer("clock_offset").map { abs($0 + ahead) <= 20 } == true)
    #expect((580...601).contains(wrongly.integer("expires_in") ?? 0))
    #expect(try place.run("status", ahead: ahead).text.contains(" \(side) the server's: expiry is calculated by"))
    #expect(try status(place).isNull("clock_offset"))
    #expect(try place.run("call", "me", ahead: ahead).status == 0)
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.lab.counters()["token"] == nil)
  }

  @Test("a wrong clock does not prevent proofs of possession", arguments: [-3 * 86400, 3 * 86400])
  func proofs(ahead: Int) throws {
    let place = try Workplace()
    try place.lab.change(#"{"dpop_token_nonce":true,"dpop_tolerance":0}"#)
    try place.makeProfile("work", "dpop = true")
    let login = try place.run(
      ["login", "work", "--password-stdin"], ahead: ahead, input: .text(Workplace.password))
    login.expect(0)
    #expect(try place.run("call", "me", ahead: ahead).status == 0)
    // Put right, and wrong again.
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.run("refresh", "work").status == 0)
    let refresh = try place.run("refresh", "work", ahead: ahead)
    refresh.expect(0)
    #expect(try place.run("call", "me", ahead: ahead).status == 0)
    #expect(try place.lab.count("api.401") == 0)
  }

  @Test("set forward beyond the refresh token's time: the session lives, since the server is asked")
  func sessionLives() throws {
    let place = try Workplace.loggedIn(.flat)
    #expect(try place.run("call", "me", ahead: ClockTests.days).status == 0)
    #expect(try place.lab.count("kind1.refresh.ok") == 1)
    #expect(try place.run("call", "me", ahead: ClockTests.days).status == 0)
    #expect(try place.lab.count("kind1.refresh") == 1)
  }

  @Test("a refresh token that has expired indeed is sent once, and then no more: status 3")
  func deadIndeed() throws {
    let place = try Workplace.loggedIn(.flat, lab: ["--access-lifetime", "1", "--refresh-lifetime", "1"])
    try place.waitForExpiry()
    try Waiting.until("the end of the refresh token") { try status(place).integer("refresh_expires_in") ?? 0 < -1 }
    #expect(try status(place).string("state") == "login_required")
    for _ in 0..<3 {
      let outcome = try place.run("call", "me")
      outcome.expect(3)
    }
    #expect(try place.lab.count("kind1.refresh") == 1)
  }
}
