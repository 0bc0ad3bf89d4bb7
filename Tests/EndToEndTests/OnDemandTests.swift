import Foundation
import Glibc
import TestSupport
import Testing

@Suite("a profile without a store, end to end")
struct OnDemandTests {
  private func place(over wire: Workplace.Wire = .http1) throws -> (Workplace, BusSocket) {
    let place = try Workplace(.none, over: wire)
    let folder = place.session.directory.appending(path: "credentials")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("svc-secret".utf8).write(to: folder.appending(path: "ci"))
    try place.makeProfile(
      "work",
      """
      flow = "client-credentials"
      client_id = "svc"
      client_authentication = "client_secret_basic"
      client_secret_file = "credential:ci"
      store = "none"
      """)
    return (place, try BusSocket(in: place.session.directory))
  }

  /// The environment of a service: no home, no runtime folder, a folder of credentials; and the trap as its bus.
  private func environment(_ place: Workplace, _ bus: BusSocket) -> [String: String?] {
    [
      "HOME": "/nonexistent", "XDG_RUNTIME_DIR": nil, "XDG_STATE_HOME": place.session.directory.path + "/state",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(bus.path)",
      "CREDENTIALS_DIRECTORY": place.session.directory.path + "/credentials",
    ]
  }

  @Test(
    "no command connects to the bus or writes a file, and each succeeds",
    arguments: [
      ["login", "work"], ["call", "me"], ["call", "-p", "work", "me"], ["token"], ["refresh", "work"],
      ["refresh", "--all"], ["exec", "--", "true"], ["status"], ["status", "work", "--json", "--require", "5m"],
      ["logout", "work"], ["profile", "show", "work"], ["profile", "list"], ["doctor", "work"],
      ["profile", "remove", "work"],
    ])
  func untouched(command: [String]) throws {
    let (place, bus) = try place()
    let outcome = try place.run(command, environment: environment(place, bus))
    #expect(outcome.status == 0, "\(outcome.error)\(outcome.text)")
    #expect(!bus.isTouched)
    #expect(!FileManager.default.fileExists(atPath: place.session.directory.path + "/state"))
  }

  @Test("a profile with a store connects to the bus, so that the test above can fail")
  func touched() throws {
    let (place, bus) = try place()
    try place.makeProfile("other")
    let run = try place.start(["status", "other"], environment: environment(place, bus))
    try Waiting.until("a connection") { bus.isTouched }
    run.send(SIGKILL)
    _ = try run.wait()
  }

  @Test(
    "a batch from a pipe does not connect to the bus either, and shares one token", arguments: Workplace.Wire.allCases)
  func batch(wire: Workplace.Wire) throws {
    let (place, bus) = try place(over: wire)
    let lines = Array(repeating: "me\n", count: 40).joined()
    let outcome = try place.run(
      ["call", "--batch", "-", "--parallel", "10"], input: .text(lines), environment: environment(place, bus))
    outcome.expect(0)
    #expect(try place.lab.count("token.client_credentials.ok") == 1)
    #expect(!bus.isTouched)
  }
}
