import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("LoginAdvice") struct LoginAdviceTests {
  private func profile(_ change: (inout Profile) -> Void = { _ in }) throws -> Profile {
    var profile = Profile(name: try #require(ProfileName("work")), clientID: "cli")
    profile.scope = ["openid", "read"]
    change(&profile)
    return profile
  }

  private func advice(
    _ insufficient: InsufficientAuthorization, granted: [String]? = ["openid", "read"], _ profile: Profile?
  ) -> LoginAdvice {
    LoginAdvice(insufficient: insufficient, profile: profile, granted: granted)
  }

  @Test("the missing scope is what the API requires minus what was granted, and the login requests all of it")
  func scope() throws {
    let one = advice(.init(.scope, scope: ["read", "write"]), try profile())
    #expect(one.why == "the token lacks the scope write (granted: openid read)")
    #expect(
      one.hint
        == "log in with it: authctl login work --scope 'openid read write'; "
        + "for every login: scope in the profile's file"
    )
    let two = advice(.init(.scope, scope: ["a", "b"]), granted: ["read", "extra"], try profile { $0.scope = [] })
    #expect(two.why == "the token lacks the scopes a b (granted: read extra)")
    #expect(two.hint.contains("--scope 'read extra a b'"))
    let unknown = advice(.init(.scope, scope: ["write"]), granted: nil, try profile { $0.scope = [] })
    #expect(unknown.why == "the token lacks the scope write")
    #expect(unknown.hint.contains("authctl login work --scope write;"))
  }

  @Test("no login is suggested if the API does not state what is missing, or nothing is")
  func unclear() throws {
    let silent = advice(.init(.scope), try profile())
    #expect(silent.why == "the token's scope is not enough (granted: openid read), and it does not say what is")
    let hint =
      "ask the API's operator which scope it requires, then: authctl login work --scope 'openid read NAME'"
    #expect(silent.hint == hint)
    let granted = advice(.init(.scope, scope: ["read"]), try profile())
    #expect(granted.why == "the token's scope is not enough, although all that it names was granted: read")
    #expect(granted.hint == hint)
  }

  @Test("a step-up names how to log in, and how freshly (RFC 9470)")
  func stepUp() throws {
    let both = advice(.init(.userAuthentication, acrValues: ["gold", "urn:x y"], maxAge: 300), try profile())
    #expect(both.why == "it requires that the person has logged in in the way gold or urn:x y, at most 5m ago")
    #expect(both.hint == "log in with it: authctl login work --acr-values 'gold urn:x y' --max-age 300")
    let fresh = advice(.init(.userAuthentication, maxAge: 0), try profile())
    #expect(fresh.why == "it requires that the person has logged in at most 0s ago")
    #expect(fresh.hint == "log in with it: authctl login work --max-age 0")
    let silent = advice(.init(.userAuthentication), try profile())
    #expect(silent.why == "it requires that the person has logged in otherwise")
    #expect(silent.hint == "log in with it: authctl login work --max-age 0")
    let anew = advice(.init(.userAuthentication, scope: ["write"]), try profile())
    #expect(anew.hint.contains("authctl login work --scope 'openid read write' --max-age 0;"))
    let scoped = advice(.init(.userAuthentication, scope: ["write"], acrValues: ["gold"]), try profile())
    #expect(scoped.why.hasSuffix("in the way gold, and the token lacks the scope write (granted: openid read)"))
    #expect(scoped.hint.contains("authctl login work --scope 'openid read write' --acr-values gold;"))
  }

  @Test("a server's text cannot become a shell command, nor control the terminal")
  func injection() throws {
    let advice = advice(.init(.scope, scope: ["';id;'", "$(id)"]), granted: nil, try profile { $0.scope = [] })
    #expect(advice.hint.contains(#"--scope ''\'';id;'\'' $(id)';"#))
    #expect(self.advice(.init(.scope, scope: ["\u{1B}[2J"]), nil).why.contains("\u{1B}") == false)
  }

  @Test("the advice is one that the profile's login can follow")
  func otherProfiles() throws {
    let insufficient = InsufficientAuthorization(.scope, scope: ["write"])
    #expect(advice(insufficient, nil).hint == "get a token that has it, and set AUTHCTL_ACCESS_TOKEN to that")
    #expect(
      advice(insufficient, try profile { $0.flow = .token }).hint
        == "get a token that has it where this one is from, then: authctl login work")
    #expect(
      advice(insufficient, try profile { $0.type = .custom }).hint
        == "profile work can't ask its server for that: ask the API's operator")
    #expect(
      advice(.init(.userAuthentication, acrValues: ["gold"]), try profile { $0.flow = .password }).hint
        == "the flow password can't ask for that; if the server lets this client, log in with a page: "
        + "authctl login work --flow browser --acr-values gold")
  }
}
