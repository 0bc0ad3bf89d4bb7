import Testing

@testable import AuthctlCLI

@Suite("ProgramName") struct ProgramNameTests {
  @Test(
    "is the last component of the path that called the program",
    arguments: [
      ("authctl", "authctl"), ("/usr/local/bin/authc", "authc"), ("./oauth-ctl.2", "oauth-ctl.2"),
      ("git-credential-authc", "authc"), ("/bin/docker-credential-authc", "authc"),
      ("", "authctl"), ("/bin/", "authctl"), ("-sh", "authctl"), ("a b", "authctl"), ("git-credential-", "authctl"),
      ("a\u{1B}[2J", "authctl"),
    ])
  func name(path: String, name: String) {
    #expect(ProgramName(calledBy: path).text == name)
    #expect(ProgramName(calledBy: nil).text == "authctl")
  }

  @Test(
    "replaces the name in the program's own texts, but for folders and keyring items",
    arguments: [
      ("authctl call; `authctl`, authctl-call(1)", "my-authctl call; `my-authctl`, my-authctl-call(1)"),
      ("~/.config/authctl/profiles", "~/.config/authctl/profiles"),
      ("application=authctl, authctl", "application=authctl, my-authctl"),
      ("lookup application authctl profile", "lookup application authctl profile"),
    ])
  func text(before: String, after: String) {
    #expect(ProgramName(calledBy: "my-authctl").named(before) == after)
  }

  @Test(
    "replaces the name in a hint only where a command line or a manual page stands: the rest can be another's words",
    arguments: [
      ("run: authctl login authctl --scope 'authctl x'", "run: authc login authctl --scope 'authctl x'"),
      ("'authctl call -h' lists the options", "'authc call -h' lists the options"),
      ("'authctl -h' lists the commands", "'authc -h' lists the commands"),
      ("authctl-profile(5) has a template, authctl(1) too", "authc-profile(5) has a template, authc(1) too"),
      ("use https://authctl.example/authctl login", "use https://authctl.example/authctl login"),
      ("profile authctl is not there", "profile authctl is not there"),
    ])
  func hint(before: String, after: String) {
    #expect(ProgramName(calledBy: "authc").named(hint: before) == after)
  }
}
