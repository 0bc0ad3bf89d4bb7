import AuthCore
import Foundation
import Testing

@testable import AuthctlCLI

extension ProfileTemplate: CustomTestStringConvertible {
  public var testDescription: String { name }

  /// A value of a field.
  static func sample(_ field: Field) -> String {
    switch field.form {
    case .address: "https://id.example.com/auth"
    case .segment: "My realm"
    case .text: field.name == "username" ? "alice" : "https://id.example.com/"
    }
  }

  /// The text with sample values.
  var sample: String {
    get throws {
      text(
        with: try Dictionary(
          uniqueKeysWithValues: fields.map { ($0.name, try $0.checked($0.standard ?? Self.sample($0))) }))
    }
  }
}

/// The templates that are built into the program, and the text that `profile edit` begins with.
@Suite("Templates of profiles") struct ProfileTemplateTests {
  private static let folder = GeneratedFilesTests.top.appending(path: "Sources/AuthctlCLI/Templates")

  private func profile(_ text: String) throws -> Profile {
    try Profile(toml: text, file: "new.toml", name: try #require(ProfileName("new")))
  }

  @Test("are the files of their folder, and the README lists them")
  func names() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(ProfileTemplate.names.map { "\($0).toml" }.sorted() == files)
    let readme = try String(contentsOf: GeneratedFilesTests.top.appending(path: "README.md"), encoding: .utf8)
    let lists = readme.matches(of: /- \*\*[A-Za-z ]+\*\*: ([a-z0-9, -]+)\n/)
    let listed = lists.flatMap { $0.1.split(separator: ", ").map(String.init) }
    #expect(Set(listed).isSuperset(of: ProfileTemplate.names))
    for name in ProfileTemplate.names {
      let file = try String(contentsOf: Self.folder.appending(path: "\(name).toml"), encoding: .utf8)
      #expect(try #require(ProfileTemplate.named(name)).title == file.dropFirst(2).prefix { $0 != "\n" })
    }
    #expect(ProfileTemplate.named("nothing") == nil)
  }

  @Test("describe each value that they need, and need each that they describe", arguments: ProfileTemplate.all)
  func fields(template: ProfileTemplate) {
    #expect(!template.title.isEmpty && !template.title.hasSuffix("."))
    #expect(!template.text.contains("#:"))
    for line in template.text.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    for field in template.fields {
      #expect(template.text.contains("{\(field.name)}"), "\(field.name)")
      #expect(!field.meaning.hasSuffix(".") && field.meaning.first?.isUppercase == false, "\(field.meaning)")
    }
    let lines = template.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let requests = lines.drop { !$0.hasPrefix("[requests") }.joined(separator: "\n")
    for name in lines.joined(separator: "\n").matches(of: /{([a-z_]+)\??}/).map({ String($0.1) }) {
      let isOwn = template.fields.contains { $0.name == name }
      #expect(isOwn != requests.contains("{\(name)"), "\(name) belongs to the template or to a request")
      #expect(isOwn || template.type == .custom, "\(name)")
    }
  }

  @Test("are valid profiles with their values", arguments: ProfileTemplate.all)
  func valid(template: ProfileTemplate) throws {
    var text = ProfileText(try template.sample)
    let client = try #require(ProfileKey.named("client_id", of: .oauth2))
    if template.type == .oauth2, !text.has(client) { text.set(client, to: .string("cli")) }
    let profile = try profile(text.string)
    #expect(profile.type == template.type)
    // A browser login without `flow` can become a device login where there is no display.
    #expect(!profile.isFlowStated || profile.flow != .browser || profile.issuer == nil)
  }

  @Test("have settings in comments that are valid, too", arguments: ProfileTemplate.all)
  func comments(template: ProfileTemplate) throws {
    let lines = try template.sample.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.contains(/^# (\[|[a-z_]+ =)/) ? $0.dropFirst(2) : $0
    }
    var text = ProfileText(lines.joined(separator: "\n"))
    let client = try #require(ProfileKey.named("client_id", of: .oauth2))
    if template.type == .oauth2 { text.set(client, to: .string("cli")) }
    _ = try profile(text.string)
  }

  @Test("show command lines that the table allows", arguments: ProfileTemplate.all)
  func examples(template: ProfileTemplate) throws {
    for line in template.text.split(separator: "\n") where line.hasPrefix("#   ") && line.contains("authctl ") {
      let command = line.dropFirst(4).split(separator: "   #").first.map(String.init) ?? ""
      let calls = GrammarExampleTests.invocations(of: "authctl", in: command)
      #expect(!calls.isEmpty, "\(line)")
      for call in calls {
        #expect(throws: Never.self, "\(line)") { try Parser(program: .authctl).parse(call) }
      }
    }
  }

  @Test(
    "name the issuers and the quirks of the services",
    arguments: [
      ("keycloak", "https://id.example.com/auth/realms/My%20realm"),
      ("auth0", "https://id.example.com/auth/"), ("okta", "https://id.example.com/auth/oauth2/default"),
      ("microsoft", "https://login.microsoftonline.com/My%20realm/v2.0"), ("gitlab", "https://gitlab.com"),
      ("google", "https://accounts.google.com"), ("authentik", "https://id.example.com/auth/application/o/My%20realm/"),
    ])
  func issuers(name: String, issuer: String) throws {
    let template = try #require(ProfileTemplate.named(name))
    #expect(try template.sample.contains("issuer = \"\(issuer)\"\n"))
  }

  @Test("a value can't end the string that it is in")
  func quoted() throws {
    let template = try #require(ProfileTemplate.named("github"))
    let value = #"x" # \ {client_id} ü"#
    let profile = try profile(template.text(with: ["client_id": value]))
    #expect(profile.clientID == value && profile.flow == .device && profile.scope == ["repo", "read:org"])
  }

  @Test("a file's lines become title, fields and text")
  func parse() throws {
    let template = ProfileTemplate(
      "x", "# A server\n#: host (address) [a.b]: the server\n#\ntype = \"basic\"\na = \"{host}\"\n")
    #expect(template.title == "A server" && template.type == .basic)
    let field = try #require(template.fields.first)
    #expect(template.fields.count == 1 && field.name == "host" && field.form == .address)
    #expect(field.standard == "a.b" && field.meaning == "the server" && field.option == "--field host=HOST")
    #expect(template.text(with: ["host": "c"]) == "# A server\n#\ntype = \"basic\"\na = \"c\"\n")
  }

  @Test("the text that profile edit begins with is valid, too")
  func beginning() throws {
    let text = BlankProfile.text(try #require(ProfileName("new")))
    #expect(try profile(text).issuer == "https://id.example.com")
    // The remarks are settings that hold when the mark is taken away.
    let lines = text.split(separator: "\n").map {
      $0.hasPrefix("# ") && $0.contains(/^# (\[|[a-z_]+ = )/) ? $0.dropFirst(2) : $0
    }
    _ = try profile(lines.joined(separator: "\n"))
  }
}

@Suite("ProfileTemplate.Field") struct ProfileTemplateFieldTests {
  private func field(_ form: ProfileTemplate.Field.Form) throws -> ProfileTemplate.Field {
    try #require(ProfileTemplate.Field("#: x (\(form.rawValue)): the value"))
  }

  @Test(
    "an address gets its scheme and loses the slash at its end",
    arguments: [
      ("id.example.com", "https://id.example.com"), ("ID.example.com:8443/auth/", "https://id.example.com:8443/auth"),
      ("https://id.example.com/", "https://id.example.com"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
      ("https://id.example.com/a%20b", "https://id.example.com/a%20b"), ("[::1]:8443", "https://[::1]:8443"),
    ])
  func address(text: String, value: String) throws {
    #expect(try field(.address).checked(text) == value)
  }

  @Test(
    "a segment is percent-encoded",
    arguments: [
      ("master", "master"), ("My realm", "My%20realm"), ("Zürich", "Z%C3%BCrich"), ("a.b-c_d~e", "a.b-c_d~e"),
      ("a\"b", "a%22b"), ("a{b}", "a%7Bb%7D"), ("a@b:c", "a@b:c"),
    ])
  func segment(text: String, value: String) throws {
    #expect(try field(.segment).checked(text) == value)
  }

  @Test(
    "what has not the form is refused with the reason",
    arguments: [
      (.address, "", "is empty"), (.address, "http://id.example.com", "plain http"), (.address, "a b", "white space"),
      (.address, "id.example.com?x", "a character"), (.address, "id.example.com#x", "a character"),
      (.address, "id.example.com/\"x", "a character"), (.address, "id.example.com/{x}", "a character"),
      (.address, "u@id.example.com", "user information"), (.address, "ftp://id.example.com", "scheme"),
      (.address, "a\nb", "control character"), (.segment, "", "is empty"), (.segment, "a/b", "not one segment"),
      (.segment, "..", "not one segment"), (.segment, ".", "not one segment"), (.segment, "a?b", "not one segment"),
      (.segment, "a%2Fb", "not one segment"), (.segment, "a\\b", "not one segment"),
      (.segment, "a\tb", "control character"), (.text, "", "is empty"), (.text, "a\u{7F}b", "control character"),
      (.text, "a\r\nb", "control character"), (.text, "a\u{85}b", "control character"),
    ] as [(ProfileTemplate.Field.Form, String, String)])
  func refused(form: ProfileTemplate.Field.Form, text: String, why: String) throws {
    let field = try field(form)
    let fault = #expect(throws: ProfileTemplate.Field.Fault.self) { _ = try field.checked(text) }
    #expect(fault?.why.contains(why) == true, "\(fault?.why ?? "")")
  }

  @Test(
    "a line that does not describe a field is none", arguments: ["# x (text): y", "#: x: y", "#: x (word): y", "#: "])
  func other(line: String) {
    #expect(ProfileTemplate.Field(line) == nil)
  }
}
