import Foundation
import Glibc
import TestSupport
import Testing

@Suite("the home directory, end to end")
struct HomeTests {
  @Test("without HOME, it is that of the password database", arguments: [nil, ""])
  func account(home: String?) throws {
    let place = try Workplace(.none)
    guard let entry = unsafe getpwuid(geteuid()), let folder = unsafe entry.pointee.pw_dir else {
      throw SessionError("the tests' user has no entry")
    }
    let path = unsafe String(cString: folder)
    try place.makeProfile("work", "client_authentication = \"private_key_jwt\"\nassertion_key = \"~/no-such-key.pem\"")
    let outcome = try place.run("profile", "show", "work", "--offline", environment: ["HOME": home])
    #expect(outcome.text.contains("\(path)/no-such-key.pem can't be read"), "\(outcome.text)\(outcome.error)")
  }
}
