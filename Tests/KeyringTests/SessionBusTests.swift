import Foundation
import Glibc
import TestSupport
import Testing

@testable import AuthKeyring

@Suite("SessionBus", .serialized)
struct SessionBusTests {
  @Test("the address that the environment names is taken as it is")
  func stated() {
    let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a;unix:abstract=b", "XDG_RUNTIME_DIR": "/run/user/0"]
    #expect(SessionBus(environment: environment).address == "unix:path=/a;unix:abstract=b")
  }

  @Test(
    "an address that would start a bus is left out",
    arguments: [
      ("autolaunch:", nil), ("autolaunch:scope=x;autolaunch:", nil), ("unix:path=/a;autolaunch:", "unix:path=/a"),
    ])
  func autolaunch(stated: String, expected: String?) {
    #expect(SessionBus(environment: ["DBUS_SESSION_BUS_ADDRESS": stated]).address == expected)
  }

  @Test("without an address, the socket in XDG_RUNTIME_DIR is taken, else that in the user's runtime directory")
  func found() throws {
    let session = try PrivateSession(.none)
    let mine = "unix:path=\(session.busSocket)"
    let empty = session.directory.path
    #expect(SessionBus(environment: session.cronEnvironment, runtimeRoot: empty).address == mine)
    let blank = session.cronEnvironment.merging(["DBUS_SESSION_BUS_ADDRESS": ""]) { $1 }
    #expect(SessionBus(environment: blank, runtimeRoot: empty).address == mine)

    let root = session.directory.appendingPathComponent("root")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let own = root.appendingPathComponent("\(getuid())")
    try FileManager.default.createSymbolicLink(
      at: own, withDestinationURL: URL(fileURLWithPath: session.busSocket).deletingLastPathComponent())
    let guessed = "unix:path=\(own.path)/bus"
    #expect(SessionBus(environment: [:], runtimeRoot: root.path).address == guessed)
    #expect(SessionBus(environment: ["XDG_RUNTIME_DIR": empty], runtimeRoot: root.path).address == guessed)
  }

  @Test("a file that is not a socket is not a bus")
  func noSocket() throws {
    let session = try PrivateSession(.none)
    try Data().write(to: session.directory.appendingPathComponent("bus"))
    let environment = ["XDG_RUNTIME_DIR": session.directory.path]
    #expect(SessionBus(environment: environment, runtimeRoot: session.directory.path).address == nil)
  }

  @Test("characters that an address may not contain are escaped (D-Bus specification, “Server Addresses”)")
  func escaped() {
    #expect(SessionBus.escaped("/run/a b,c;é\n") == "/run/a%20b%2cc%3b%c3%a9%0a")
  }
}
