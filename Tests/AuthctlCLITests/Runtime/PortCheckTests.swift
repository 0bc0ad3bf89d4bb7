import AuthCore
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("PortCheck") struct PortCheckTests {
  @Test("the checks of profiles with the same port do not find each other's sockets")
  func samePort() throws {
    let place = try Workplace()
    let port = try FreePort.find()
    let names = try ["one", "two"].map { try #require(ProfileName($0)) }
    for name in names {
      try place.makeProfile(
        name.string, "flow = \"browser\"\nredirect_uri = [\"http://127.0.0.1:\(port)/callback\"]")
    }
    let context = Context.test(home: place.folder, console: try FakeConsole())
    let checks = try names.map { name in
      let profile = try ProfileChoice(context).profile(named: name)
      return RedirectChecks(server: context.server(profile, events: { _ in }), context: context)
    }
    let findings = Mutex<[DoctorFinding]>([])
    DispatchQueue.concurrentPerform(iterations: 1000) { index in
      let found = checks[index % checks.count].port()
      findings.withLock { $0 += found }
    }
    let found = findings.withLock { $0 }
    #expect(found.isEmpty, "\(found.count): \(found.first?.message ?? "")")
  }
}
