import Crypto
import Foundation
import TestSupport
import Testing

@Suite("call, end to end")
struct CallTests {
  /// What the API was sent by a call of `echo`.
  func echo(_ place: Workplace, _ arguments: [String], input: ProgramInput = .nothing) throws -> JSONObject {
    let outcome = try place.run(["call"] + arguments, input: input)
    try #require(outcome.status == 0, "\(outcome.error)")
    return try outcome.json()
  }

  @Test("the token is sent, and a plain request is that of curl")
  func plain() throws {
    let place = try Workplace.loggedIn()
    let seen = try echo(place, ["echo"])
    let token = try #require(try place.pair().string("access_token"))
    #expect(seen.string("method") == "GET")
    #expect(seen.header("Authorization") == "Bearer \(token)")
    #expect(seen.header("Accept") == "*/*")
    #expect(seen.header("User-Agent")?.hasPrefix("authctl/") == true)
  }

  @Test("the hint says where the body is, and is absent without a body")
  func whereabouts() throws {
    let place = try Workplace.loggedIn()
    #expect(try place.run("call", "status/404").error.contains("see the response body; use --no-fail"))
    #expect(try place.run("call", "-o", "/dev/null", "status/404").error.contains("see /dev/null; use --no-fail"))
    for options in [["-f"], ["-I"]] {
      let outcome = try place.run(["call"] + options + ["status/404"])
      #expect(outcome.status == 22 && !outcome.error.contains("says more"), "\(outcome.error)")
    }
  }

  @Test("output that can't be written: status 1", arguments: [["-o", "/nowhere/file"], ["-o", "/dev/full"]])
  func unwritable(options: [String]) throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run(["call"] + options + ["me"])
    outcome.expect(1)
  }

  @Test("a body of bytes arrives as it is")
  func download() throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run("call", "bytes/3000000?chunked")
    #expect(outcome.status == 0)
    #expect(outcome.output.count == 3_000_000)
  }

  @Test("-m and --connect-timeout end a call in time: status 5")
  func timeouts() throws {
    let place = try Workplace.loggedIn()
    // Longer than the end of a program is waited for.
    let slow = try place.run("call", "-m", "0.5", "slow?ms=600000")
    slow.expect(5)
    #expect(slow.seconds > 0.4)
    #expect(try place.run("call", "-m", "60", "slow?ms=100").status == 0)
    let unreachable = try place.run(
      "call", "--no-auth", "--connect-timeout", "0.3", "http://127.0.0.1:\(FreePort.find())/")
    unreachable.expect(5)
  }

  @Test("in cron's environment, without the address of the bus, a call finds the keyring")
  func cron() throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run("call", "me", environment: ["DBUS_SESSION_BUS_ADDRESS": nil, "LANG": nil])
    outcome.expect(0)
    #expect(try outcome.json().string("sub") == "alice")
  }
}
