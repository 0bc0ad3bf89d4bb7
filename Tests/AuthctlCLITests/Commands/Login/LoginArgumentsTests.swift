import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("LoginArguments") struct LoginArgumentsTests {
  private func arguments(_ words: [String]) throws -> LoginArguments {
    try LoginArguments(Invocation(typed: ["login"] + words))
  }

  @Test("without an option, everything is left to the profile")
  func plain() throws {
    let arguments = try arguments([])
    #expect(arguments.selection.name == nil && arguments.settings.isEmpty && arguments.address == nil)
    #expect(arguments.opensBrowser && arguments.timeout == nil && arguments.fields.isEmpty)
    #expect(arguments.password == nil && arguments.clientSecret == nil && arguments.clientKey == nil)
    #expect(arguments.assertion == nil && arguments.subjectToken == nil && arguments.actorTokenFile == nil)
    #expect(arguments.subjectTokenType == nil && arguments.actorTokenType == nil)
    #expect(arguments.requestedTokenType == nil && arguments.acrValues == nil && arguments.maxAge == nil)
    #expect(arguments.impliedAuthentication == nil)
  }

  @Test("the profile, the settings with their values, and how to meet the person")
  func values() throws {
    let arguments = try arguments([
      "work", "--scope", "a", "--dpop", "--scope", "b c", "--issuer", "https://x", "--issuer", "https://id.example",
      "--discover", "https://api.example/v1", "--no-browser", "--timeout", "2m", "--acr-values", " mfa  hwk ",
      "--max-age", "5m",
    ])
    #expect(arguments.selection.name?.string == "work")
    #expect(arguments.settings.map(\.setting.key.path) == ["issuer", "scope", "dpop"])
    #expect(arguments.settings.map(\.texts) == [["https://x", "https://id.example"], ["a", "b c"], []])
    #expect(arguments.value("issuer") == "https://id.example" && arguments.value("audience") == nil)
    #expect(arguments.address?.url.string == "https://api.example/v1")
    #expect(!arguments.opensBrowser && arguments.timeout == .seconds(120))
    #expect(arguments.acrValues == "mfa hwk" && arguments.maxAge == .seconds(300))
  }

  @Test(
    "a secret comes from standard input or a file",
    arguments: [
      ("password", \LoginArguments.password), ("client-secret", \.clientSecret), ("client-key", \.clientKey),
      ("assertion", \.assertion), ("subject-token", \.subjectToken),
    ] as [(String, any KeyPath<LoginArguments, LoginArguments.SecretSource?> & Sendable)])
  func sources(name: String, source: any KeyPath<LoginArguments, LoginArguments.SecretSource?> & Sendable) throws {
    let input = try #require(try arguments(["--\(name)-stdin"])[keyPath: source])
    #expect(input.option.long == "\(name)-stdin" && input.path == nil && input.stdin == input.option)
    let file = try #require(try arguments(["--\(name)-file", "/f"])[keyPath: source])
    #expect(file.option.long == "\(name)-file" && file.path == "/f" && file.stdin == input.option)
    let both = try usageError { _ = try arguments(["--\(name)-file", "/f", "--\(name)-stdin"]) }
    #expect(both.text == "--\(name)-stdin: can't be combined with --\(name)-file")
    #expect(both.hint == "use a file for one of them")
  }

  @Test("the tokens of an exchange, their types as URIs")
  func exchange() throws {
    let arguments = try arguments([
      "--subject-token-type", "jwt", "--actor-token-file", "/a", "--actor-token-type", "id_token",
      "--requested-token-type", "urn:x:y",
    ])
    #expect(arguments.subjectTokenType == "urn:ietf:params:oauth:token-type:jwt")
    #expect(arguments.actorTokenType == "urn:ietf:params:oauth:token-type:id_token")
    #expect(arguments.requestedTokenType == "urn:x:y" && arguments.actorTokenFile == "/a")
  }

  @Test("fields: a text, a file, standard input")
  func fields() throws {
    let arguments = try arguments(["--field", "a=b=c", "--field", "d=@/e", "--field", "f=@-", "--field", "g="])
    #expect(
      arguments.fields == [
        .init(name: "a", value: .text("b=c")), .init(name: "d", value: .file("/e")),
        .init(name: "f", value: .standardInput), .init(name: "g", value: .text("")),
      ])
  }

  @Test(
    "the options of the first login determine how the client authenticates",
    arguments: [
      ([], nil), (["--client-secret-stdin"], .basic), (["--client-secret-file", "/s"], .basic),
      (["--client-key-file", "/k"], .privateKeyJWT), (["--client-key-stdin", "--flow", "jwt-bearer"], nil),
      (["--flow", "client-credentials"], .basic),
      (["--flow", "client-credentials", "--client-key-stdin"], .privateKeyJWT),
    ] as [([String], ClientAuthentication?)])
  func implied(words: [String], method: ClientAuthentication?) throws {
    #expect(try arguments(words).impliedAuthentication == method)
  }

  @Test(
    "options that contradict each other, and values that can't be used",
    arguments: [
      (
        ["--client-secret-stdin", "--password-stdin"], "--password-stdin: can't be combined with --client-secret-stdin"
      ),
      (["--assertion-stdin", "--client-key-stdin"], "--client-key-stdin: can't be combined with --assertion-stdin"),
      (["--actor-token-type", "jwt"], "--actor-token-type: there is no actor token"),
      (
        ["--subject-token-command", "t", "--subject-token-stdin"],
        "--subject-token-command: can't be combined with --subject-token-stdin"
      ),
      (
        ["--store", "none", "--subject-token-file", "/f", "--subject-token-command", "t"],
        "--subject-token-command: can't be combined with --subject-token-file"
      ),
      (["--timeout", "0"], "--timeout 0: not a valid duration"),
      (["--acr-values", "  "], "--acr-values: it is empty"),
      (["--field", "name"], "--field: not NAME=VALUE"), (["--field", "=x"], "--field: not NAME=VALUE"),
      (["--field", "a=1", "--field", "a=2"], "--field a: it is given twice"),
      (["--field", "a=@-", "--field", "b=@-"], "--field b: standard input is already used for another value"),
      (["--field", "a=@-", "--password-stdin"], "--field a: standard input is already used for another value"),
      (["--field", "password=@/f", "--password-file", "/g"], "--field password: the password is given twice"),
      (
        ["--discover", "http://api.example"],
        "--discover http://api.example: it is plain http: anyone on the network could change the response"
      ),
      (["--discover", "api"], "--discover api: it is not a usable URL: it has no scheme (https://…)"),
      (
        ["--discover", "https://api.example", "--type", "basic"],
        "--type basic: only a server of type oauth2 can be discovered from a URL"
      ),
      (["https://api.example", "--discover", "https://api.example"], "--discover: the command line already has a URL"),
      (
        ["--proxy", "http://u:p@proxy.example", "--proxy", "http://proxy.example"],
        "--proxy: it contains user information (…@), which all users of this machine can read on the command line"
      ),
      (["work", "-p", "other"], "--profile other: another profile is named, too"),
      (["a/b"], "login a/b: it is a URL without a scheme"), (["a b"], "profile 'a b': invalid profile name"),
    ])
  func contradictions(words: [String], text: String) throws {
    let error = try usageError { _ = try arguments(words) }
    #expect(error.text == text)
    #expect(!error.hint.isEmpty)
  }

  private static let oauth = "issuer = \"https://id.example\"\nclient_id = \"cli\"\n"
  private static let custom = """
    type = "custom"
    base = "https://api.example"
    [requests.login]
    url = "/login"
    [response]
    access_token = "/t"
    """
  private static let basic = "type = \"basic\"\nusername = \"alice\"\napi = \"https://api.example\""

  private func profile(_ toml: String) throws -> Profile {
    try Profile(toml: toml, file: "f", name: try #require(ProfileName("work")))
  }

  @Test(
    "options that have no effect in a login to the profile",
    arguments: [
      (
        oauth + "flow = \"password\"", ["--acr-values", "mfa"],
        "--acr-values: profile work logs in by the flow password, without a person at the server"
      ),
      (basic, ["--max-age", "1m"], "--max-age: profile work is of type basic, without a person at the server"),
      (oauth, ["--field", "a=b"], "--field: profile work is of type oauth2: it has no request to fill"),
      (
        "flow = \"token\"\n" + custom, ["--field", "a=b"],
        "--field: --flow token reads tokens from standard input: there is no request to fill"
      ),
      (oauth, ["--password-stdin"], "--password-stdin: it is for the flow password, and this is browser"),
      (oauth, ["--password-file", "/f"], "--password-file: it is for the flow password, and this is browser"),
      (oauth, ["--assertion-file", "/f"], "--assertion-file: it is for the flow jwt-bearer, and this is browser"),
      (
        oauth, ["--subject-token-stdin"],
        "--subject-token-stdin: it is for the flow token-exchange, and this is browser"
      ),
      (
        oauth, ["--subject-token-type", "jwt"],
        "--subject-token-type: it is for the flow token-exchange, and this is browser"
      ),
      (
        oauth, ["--actor-token-file", "/f"],
        "--actor-token-file: it is for the flow token-exchange, and this is browser"
      ),
      (
        oauth, ["--requested-token-type", "jwt"],
        "--requested-token-type: it is for the flow token-exchange, and this is browser"
      ),
      (
        oauth + "flow = \"token\"\nclient_authentication = \"client_secret_basic\"", ["--client-secret-stdin"],
        "--client-secret-stdin: the tokens themselves are read from standard input"
      ),
      (
        "flow = \"token\"\n" + custom, ["--password-stdin"],
        "--password-stdin: the tokens themselves are read from standard input"
      ),
      (
        oauth, ["--client-secret-file", "/f"],
        "the client secret: profile work has client_authentication = \"none\""
      ),
      (oauth, ["--client-key-file", "/f"], "the client's key: profile work has client_authentication = \"none\""),
      (
        oauth + "client_authentication = \"private_key_jwt\"\nassertion_key = \"/k\"", ["--client-key-stdin"],
        "the client's key: profile work names a file of its own as assertion_key"
      ),
    ])
  func misplaced(toml: String, words: [String], text: String) throws {
    let error = try usageError { try arguments(words).check(for: profile(toml)) }
    #expect(error.text == text)
    #expect(!error.hint.isEmpty)
  }

  @Test(
    "options that have an effect in a login to the profile",
    arguments: [
      (oauth, ["--acr-values", "mfa", "--max-age", "0"]), (oauth + "flow = \"password\"", ["--password-stdin"]),
      (custom, ["--field", "a=b", "--password-file", "/f"]), (basic, ["--password-stdin"]),
      (oauth + "flow = \"token-exchange\"", ["--subject-token-stdin", "--subject-token-type", "jwt"]),
      (oauth + "flow = \"jwt-bearer\"", ["--client-key-file", "/f"]),
      (oauth + "client_authentication = \"client_secret_post\"", ["--client-secret-stdin"]),
    ])
  func fitting(toml: String, words: [String]) throws {
    try arguments(words).check(for: profile(toml))
  }

  @Test("requirements of the command line override [parameters] (RFC 9470, section 4)")
  func stepUp() throws {
    let parameters = "[parameters]\nauthorization = { acr_values = \"low\", prompt = \"consent\" }"
    let profile = try profile(Self.oauth + parameters)
    #expect(try arguments([]).steppedUp(profile) == profile)
    let stepped = try arguments(["--acr-values", "mfa", "--max-age", "1m"]).steppedUp(profile)
    #expect(stepped.parameters.authorization == ["acr_values": "mfa", "max_age": "60", "prompt": "consent"])
  }
}
