import AuthCore
import SystemPackage
import Testing

@testable import AuthctlCLI

extension ExecArguments {
  /// The token that the command gets; nil for a proxy.
  fileprivate var token: ExportArguments? { if case .token(let token, _) = access { token } else { nil } }
  fileprivate var variables: Set<String> { if case .token(_, let names) = access { names } else { [] } }
}

@Suite("arguments of the small commands") struct SmallCommandTests {
  @Test("token: profile, validity, header")
  func token() throws {
    let plain = try TokenArguments(Invocation(typed: ["token"]))
    #expect(plain.token.profile.name == nil && plain.token.minValidity == nil && plain.format == .token)
    let all = try TokenArguments(Invocation(typed: ["token", "-p", "work", "--min-validity", "5m", "--header"]))
    #expect(all.token.profile.name?.string == "work" && all.token.minValidity == .seconds(300) && all.format == .header)
  }

  @Test("exec: everything from the command on is the command's own")
  func exec() throws {
    let plain = try ExecArguments(Invocation(typed: ["exec", "make", "-p", "x"]))
    #expect(plain.command == ["make", "-p", "x"] && plain.variables == ["AUTHCTL_TOKEN"])
    #expect(plain.token?.profile.name == nil && plain.token?.minValidity == nil)
    let words = ["exec", "-p", "work", "--min-validity=30m", "--env", "A", "--env", "_b1", "--env", "A", "--", "true"]
    let all = try ExecArguments(Invocation(typed: words))
    #expect(all.command == ["true"] && all.variables == ["A", "_b1"])
    #expect(all.token?.profile.name?.string == "work" && all.token?.minValidity == .seconds(1800))
  }

  @Test(
    "exec: the word right before -- is the profile, and every other line is the command's",
    arguments: [
      (["work", "--", "true", "--", "-v"], "work", ["true", "--", "-v"]),
      (["--", "work", "--", "x"], nil, ["work", "--", "x"]),
      (["npm", "run", "--", "x"], nil, ["npm", "run", "--", "x"]), (["--env", "A", "work", "--", "x"], "work", ["x"]),
    ] as [([String], String?, [String])])
  func execProfile(words: [String], profile: String?, command: [String]) throws {
    let arguments = try ExecArguments(Invocation(typed: ["exec"] + words))
    #expect(arguments.token?.profile.name?.string == profile && arguments.command == command)
  }

  @Test("exec: a profile before -- needs a command, and -p must not name another one")
  func execProfileAlone() throws {
    #expect(throws: UsageError.self) { try Invocation(typed: ["exec", "work", "--"]) }
    let error = try usageError { _ = try ExecArguments(Invocation(typed: ["exec", "-p", "a", "work", "--", "x"])) }
    #expect(error.text == "--profile a: another profile is named, too")
  }

  @Test(
    "exec --proxy: the address is put where its name is",
    arguments: [
      ("rest:$AUTHCTL_PROXY/b", "rest:O/K/b"), ("${AUTHCTL_PROXY}x", "O/Kx"), ("$AUTHCTL_PROXY", "O/K"),
      ("$AUTHCTL_PROXYX ${AUTHCTL_PROXY $AUTHCTL_PROXY_", "$AUTHCTL_PROXYX ${AUTHCTL_PROXY $AUTHCTL_PROXY_"),
      ("$$AUTHCTL_PROXY$", "$O/K$"), ("plain", "plain"), ("$AUTHCTL_PROXY$AUTHCTL_PROXY", "O/KO/K"),
      ("$AUTHCTL_PROXY\u{301}", "O/K\u{301}"), ("$AUTHCTL_PROXY_ORIGIN/dav", "O/dav"), ("${AUTHCTL_PROXY_KEY}", "K"),
      ("${AUTHCTL_PROXY_KEY:-x} ${}$", "${AUTHCTL_PROXY_KEY:-x} ${}$"),
    ])
  func proxyAddress(text: String, expected: String) {
    #expect(ExecProxy.Address(origin: "O", key: "K").replacing(in: text) == expected)
  }

  @Test(
    "exec: options of the other kind are refused",
    arguments: [
      (["--allow", "GET /"], "--allow: it needs --proxy"),
      (["--replay-buffer", "1"], "--replay-buffer: it needs --proxy"),
      (["--env", "A=b"], "--env A=…: a value needs --proxy"), (["--env", "1=b"], "--env 1: invalid variable name"),
      (["--proxy", "--env", "=b"], "--env : invalid variable name"),
      (["--proxy", "--min-validity", "5m"], "--proxy: can't be combined with --min-validity"),
      (["--proxy", "--cache", "5m"], "--proxy: can't be combined with --cache"),
      (["--proxy", "--allow", "GET"], "--allow 'GET': it is not a method and a path"),
    ])
  func execProxyUsage(options: [String], message: String) throws {
    let error = try usageError { _ = try ExecArguments(Invocation(typed: ["exec"] + options + ["--", "true"])) }
    #expect(error.text.hasPrefix(message), "\(error.text)")
  }

  @Test("exec: a command that does not exist and has a -- may be a profile at the wrong place")
  func execMisplaced() throws {
    let arguments = try ExecArguments(Invocation(typed: ["exec", "work", "--env", "A", "--", "x"]))
    guard case .command(let explanation, false) = arguments.failure(.noSuchFileOrDirectory) else {
      Issue.record("no error of the command")
      return
    }
    #expect(explanation.hint == "check its name and PATH; a profile stands right before the --")
  }

  @Test("token: the profile is an argument, too")
  func tokenProfile() throws {
    let named = try TokenArguments(Invocation(typed: ["token", "work", "--header"]))
    #expect(named.token.profile.name?.string == "work" && named.format == .header)
  }

  @Test("exec: a variable has a name that a shell accepts", arguments: ["", "1a", "a-b", "ä"])
  func variable(name: String) throws {
    let error = try usageError { _ = try ExecArguments(Invocation(typed: ["exec", "--env", name, "true"])) }
    #expect(error.text == "--env \(name): invalid variable name")
    #expect(error.hint == "use letters, digits and _; the first character is not a digit")
  }

  @Test("exec: the command's arguments are not in its error", arguments: [true, false])
  func failure(isThere: Bool) throws {
    let arguments = try ExecArguments(Invocation(typed: ["exec", "tool", "secret"]))
    let error = arguments.failure(isThere ? .permissionDenied : .noSuchFileOrDirectory)
    guard case .command(let explanation, let found) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(found == isThere && explanation.what == "running tool" && !"\(explanation)".contains("secret"))
  }

  @Test("refresh: profiles, validity, jitter")
  func refresh() throws {
    let plain = try RefreshArguments(Invocation(typed: ["refresh", "a", "b"]))
    #expect(plain.profiles.operands.map(\.string) == ["a", "b"] && plain.minValidity == nil && plain.jitter == nil)
    let all = try RefreshArguments(Invocation(typed: ["refresh", "--all", "--min-validity", "15m", "--jitter", "2m"]))
    #expect(all.profiles == .all && all.minValidity == .seconds(900) && all.jitter == .seconds(120))
  }

  @Test("logout: profiles, with or without a request to the server")
  func logout() throws {
    let plain = try LogoutArguments(Invocation(typed: ["logout", "a"]))
    #expect(plain.profiles.operands.map(\.string) == ["a"] && !plain.isLocal)
    let all = try LogoutArguments(Invocation(typed: ["logout", "--all", "--local-only"]))
    #expect(all.profiles == .all && all.isLocal)
  }

  @Test("refresh and logout: --all and a name contradict each other", arguments: ["refresh", "logout"])
  func all(command: String) throws {
    let invocation = try Invocation(typed: [command, "--all", "a"])
    let error = try usageError {
      _ = try command == "logout" ? LogoutArguments(invocation).profiles : RefreshArguments(invocation).profiles
    }
    #expect(error.text == "--all: it means every profile, but one is named, too")
  }

  @Test("status: all profiles unless one is named")
  func status() throws {
    let plain = try StatusArguments(Invocation(typed: ["status"]))
    #expect(plain.profiles == .all && plain.required == nil)
    let named = try StatusArguments(Invocation(typed: ["status", "-p", "a", "--require", "90s"]))
    #expect(named.profiles.name?.string == "a" && !named.profiles.isAll && named.required == .seconds(90))
  }

  @Test("profile remove and show: profile and switch")
  func profile() throws {
    let remove = try ProfileRemoveArguments(Invocation(typed: ["profile", "remove", "a"]))
    #expect(remove.name.string == "a" && !remove.isForced)
    #expect(try ProfileRemoveArguments(Invocation(typed: ["profile", "remove", "a", "--force"])).isForced)
    let show = try ProfileShowArguments(Invocation(typed: ["profile", "show"]))
    #expect(show.profile.name == nil && !show.isOffline)
    let all = try ProfileShowArguments(Invocation(typed: ["profile", "show", "a", "--offline"]))
    #expect(all.profile.name?.string == "a" && all.isOffline)
  }
}
