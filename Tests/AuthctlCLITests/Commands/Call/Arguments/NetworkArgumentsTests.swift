import AuthCore
import Testing

@testable import AuthctlCLI

@Suite struct NetworkArgumentsTests {
  private func options(_ words: String..., profile: Profile? = nil) throws -> NetworkOptions {
    try NetworkArguments(Invocation(typed: ["call", "/"] + words)).options(of: profile)
  }

  @Test("each option has its place")
  func everyOption() throws {
    #expect(try options() == NetworkOptions())
    #expect(try options("--cacert", "f").cacert == "f")
    #expect(try options("-E", "c", "--key", "k").clientCertificate == "c")
    #expect(try options("-E", "c", "--key", "k").clientKey == "k")
    #expect(try options("-x", "h:1").proxy == "h:1")
    #expect(try options("-x", "").proxy == "")
    #expect(try options("--noproxy", "a,b").noProxy == "a,b")
    #expect(try options("--unix-socket", "/s").unixSocket == "/s")
    #expect(try options("--http1.1").version == .http1)
    #expect(try options("--http1.1", "--http2").version == .http2)
    #expect(try options("-4").addresses == .ipv4 && options("-4", "-6").addresses == .ipv6)
    #expect(try options("-m", "2.5", "--connect-timeout", "1m").timeout == .milliseconds(2500))
    #expect(try options("-m", "2.5", "--connect-timeout", "1m").connectTimeout == .seconds(60))
    #expect(try options("-m", "0", "--connect-timeout", "0").timeout == nil)
    #expect(try options("-m", "0", "--connect-timeout", "0").connectTimeout == nil)
  }

  @Test("the options override the profile's, and what is not given remains")
  func overriding() throws {
    var profile = Profile(name: try #require(ProfileName("work")), clientID: "")
    profile.network.timeout = .seconds(9)
    profile.network.clientCertificate = "own"
    profile.network.clientKey = "ownKey"
    profile.network.resolve = ["a:1:1.1.1.1"]
    #expect(try options(profile: profile) == profile.network)
    #expect(try options("-m", "0", profile: profile).timeout == nil)
    let changed = try options("-E", "c", "--resolve", "b:2:2.2.2.2", profile: profile)
    #expect(changed.clientCertificate == "c" && changed.clientKey == nil && changed.timeout == .seconds(9))
    #expect(changed.resolve == ["a:1:1.1.1.1", "b:2:2.2.2.2"])
  }

  @Test(
    "an address for a host is taken as curl takes it",
    arguments: ["h:443:1.2.3.4", "*:80:127.0.0.1", "+h:1:1.2.3.4", "h:1:::1", "h:1:[::1]", "h:1:1.2.3.4,[2001:db8::1]"])
  func hostAddress(text: String) throws {
    #expect(try options("--resolve", "a:1:1.1.1.1", "--resolve", text).resolve == ["a:1:1.1.1.1", text])
  }

  @Test(
    "a value that is not an address for a host is refused",
    arguments: [
      "h", "h:1", "h:x:1.2.3.4", "h:1:", "h:1:other", "h:1:1.2.3", "h:70000:1.2.3.4", ":1:1.2.3.4", "h:1:1.2.3.4,",
      "-h:1",
    ])
  func noHostAddress(text: String) {
    #expect(
      throws: AuthError.usage(
        .init(
          "--resolve \(text)", why: "it is not HOST:PORT:ADDRESS",
          hint: "use --resolve api.example.com:443:192.0.2.1"))
    ) {
      try options("--resolve=\(text)")
    }
  }

  @Test(
    "a password on the command line is refused, and not shown",
    arguments: [["-x", "http://u:topsecret@h"], ["-E", "c:topsecret"], ["--proxy", "u:topsecret@h:1"]])
  func passwordArgument(words: [String]) throws {
    do {
      _ = try options(words[0], words[1])
      Issue.record("taken")
    } catch AuthError.usage(let explanation) {
      #expect(explanation.why.contains("all users of this machine can read"))
      #expect(!"\(explanation)".contains("topsecret"))
    }
  }

  @Test(
    "a colon or backslash of a certificate's name is escaped",
    arguments: [("c", "c"), ("a\\:b", "a:b"), ("a\\\\b", "a\\b"), ("a\\b", "a\\b"), ("a\\", "a\\")])
  func certificateName(text: String, path: String) {
    #expect(CertificateName(text).path == path)
  }

  @Test("the text after a colon is a password", arguments: ["c:p", "c:", "a\\\\:p", ":"])
  func certificatePassword(text: String) {
    #expect(CertificateName(text).path == nil)
  }

  @Test("a socket's path has a limit")
  func socketPath() throws {
    #expect(try options("--unix-socket", String(repeating: "a", count: 107)).unixSocket?.count == 107)
    for path in ["", String(repeating: "a", count: 108)] {
      #expect(throws: AuthError.self) { try options("--unix-socket", path) }
    }
  }
}
