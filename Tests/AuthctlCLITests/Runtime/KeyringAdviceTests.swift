import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("The advice for a keyring that is not unlocked")
struct KeyringAdviceTests {
  @Test("it names keyring unlock, after the advice for a desktop")
  func advice() {
    let error = AuthError.storage(
      .locked, .init("the tokens", why: "the keyring is locked", hint: "unlock it", remedy: .unlockKeyring))
    #expect(ErrorReport(error).hint == "unlock it; without a desktop, run: authctl keyring unlock")
    #expect(
      ErrorReport(error).named(ProgramName(calledBy: "authc")).hint
        == "unlock it; without a desktop, run: authc keyring unlock")
  }
}
