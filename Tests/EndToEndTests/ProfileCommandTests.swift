import Foundation
import TestSupport
import Testing

@Suite("profile list, show, path and remove, end to end")
struct ProfileCommandTests {
  @Test("without a command below it: its short help on standard error, status 2")
  func family() throws {
    let place = try Workplace(.none)
    let outcome = try place.run("profile")
    #expect(outcome.status == 2)
    #expect(outcome.text.isEmpty && outcome.error.contains("Usage: authctl profile [OPTIONS] COMMAND"))
    #expect(try place.run("profile", "--help").text.contains("\nCOMMANDS\n"))
    #expect(try place.run("profile", "edit", "-h").text.contains("authctl profile edit [OPTIONS] PROFILE"))
    let slip = try place.run("profile", "lst")
    #expect(slip.status == 2 && slip.error.contains("did you mean 'profile list'?"), "\(slip.error)")
  }

  @Test("list prints a line a profile, or an array; one that can't be read is told and hides no other: status 2")
  func list() throws {
    let place = try Workplace(.none)
    #expect(try place.run("profile", "list").status == 0)
    try place.makeProfile("work", "default = true")
    try place.makeProfile("other")
    #expect(
      try place.run("profile", "list").text == """
        other  oauth2  \(place.lab.origin)
        work   oauth2  \(place.lab.origin)  (default)

        """)
    let objects = try JSONObject.array(place.run("profile", "list", "--json").output)
    #expect(objects.map { $0.string("profile") } == ["other", "work"])
    #expect(objects[0].keys == ["api", "base", "client_id", "default", "file", "flow", "issuer", "profile", "type"])
    #expect(objects[1].string("file") == place.file("work").path && objects[1].string("client_id") == "cli")
    try Data("nonsense = 1\n".utf8).write(to: place.file("broken"))
    let outcome = try place.run("profile", "list", "--json")
    #expect(outcome.status == 2)
    #expect(try outcome.errorJSON().string("profile") == "broken")
    #expect(try JSONObject.array(outcome.output).count == 2)
  }

  @Test("path prints the file's path, there or not, and the folder's without a name")
  func path() throws {
    let place = try Workplace(.none)
    #expect(try place.run("profile", "path", "new").text == place.file("new").path + "\n")
    #expect(try place.run("profile", "path", "-p", "new").text == place.file("new").path + "\n")
    #expect(try place.run("profile", "path").text == place.configuration.appending(path: "profiles").path + "\n")
    #expect(try place.run("profile", "path", "../x").status == 2)
    #expect(try place.run("profile", "path", "new", "-p", "old").status == 2)
  }

  @Test("show says of each setting whether the file, the server or the default says it")
  func sources() throws {
    let place = try Workplace(.none)
    try place.makeProfile("work", tables: "[endpoints]\nrevocation = \"\(place.lab.origin)/end\"\n")
    try place.lab.change(#"{"oauth_discovery_omits":["token_endpoint"],"openid_discovery_omits":["jwks_uri"]}"#)
    let outcome = try place.run("profile", "show", "work", "--json")
    #expect(outcome.status == 0, "\(outcome.error)")
    let shown = try outcome.json()
    let (settings, endpoints) = (try shown.object("settings"), try shown.object("endpoints"))
    #expect(try settings.object("client_id").string("value") == "cli")
    #expect(try settings.object("client_id").string("from") == "file")
    #expect(try settings.object("client_id").integer("line") == 4)
    #expect(try settings.object("refresh_before").string("value") == "60s")
    #expect(try settings.object("refresh_before").string("from") == "default")
    #expect(try endpoints.object("revocation").string("from") == "file")
    #expect(try endpoints.object("authorization").string("document")?.hasSuffix("/oauth-authorization-server") == true)
    #expect(try endpoints.object("token").string("document")?.hasSuffix("/openid-configuration") == true)
    #expect(try endpoints.object("jwks").string("value") == place.lab.origin + "/jwks")
    let text = try place.run("profile", "show", "work").text
    #expect(text.contains("line 4\n") && text.contains("discovery: \(place.lab.origin)/.well-known/"), "\(text)")
  }

  @Test("show --offline asks nobody")
  func offline() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    try place.lab.reset()
    let outcome = try place.run("profile", "show", "work", "--offline", "--json")
    #expect(outcome.status == 0)
    #expect(try outcome.json().isNull("discovery"))
    #expect(try place.lab.lastRequests().isEmpty)
  }

  @Test(
    "show tells what is missing: status 2, 5 where the server can't be asked, 6 where it has no usable metadata",
    arguments: [
      (
        #"{"oauth_discovery_omits":["token_endpoint"],"openid_discovery_omits":["token_endpoint"]}"#, 2,
        "endpoints.token"
      ),
      (#"{"announced_issuer":"https://other.example"}"#, 6, "discovery"),
      (#"{"oauth_discovery":false,"openid_discovery":false}"#, 6, "discovery"),
    ])
  func missing(settings: String, status: Int32, about: String) throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    try place.lab.change(settings)
    let outcome = try place.run("profile", "show", "--json")
    #expect(outcome.status == status, "\(outcome.text)")
    #expect(try findings(outcome, level: "error") == [about])
    place.lab.stop()
    let unreachable = try place.run("profile", "show", "--json")
    #expect(unreachable.status == 5, "\(unreachable.text)")
  }

  @Test("show warns of what is not safe, and shows no secret that somebody has put into the file")
  func warnings() throws {
    let place = try Workplace(.none)
    let tables = """
      [parameters]
      token = { api_secret = "s3cret-1" }
      [network]
      proxy = "http://alice:s3cret-2@127.0.0.1:1"
      cacert = "/nonexistent.pem"
      """
    try place.makeProfile("work", "client_authentication = \"client_secret_post\"", tables: tables)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place.file().path)
    let outcome = try place.run("profile", "show", "work", "--offline", "--json")
    #expect(outcome.status == 2)
    #expect(!outcome.text.contains("s3cret"), "\(outcome.text)")
    #expect(try findings(outcome, level: "error") == ["network.cacert"])
    #expect(
      Set(try findings(outcome, level: "warning")) == [
        "file", "parameters.token.api_secret", "flow", "issuer", "api",
      ])
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: place.file().path)
    let open = try place.run("profile", "show", "--offline")
    #expect(open.status == 2 && open.output.isEmpty)
    #expect(open.error.contains("chmod go-w \(place.file().path)") && !open.error.contains("s3cret"), "\(open.error)")
  }

  @Test("remove takes the file of a profile not logged in to, also one that can't be read")
  func remove() throws {
    let place = try Workplace()
    try place.makeProfile()
    try Data("nonsense".utf8).write(to: place.file("broken"))
    #expect(try place.run("profile", "remove", "work").status == 0)
    #expect(try place.run("profile", "remove", "broken").status == 0)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
    #expect(!FileManager.default.fileExists(atPath: place.file("broken").path))
    let absent = try place.run("profile", "remove", "work")
    #expect(absent.status == 2 && absent.error.contains("no such profile"))
  }

  @Test("remove refuses while somebody is logged in; with --force the keyring forgets too, and the server is not asked")
  func removeLoggedIn() throws {
    let place = try Workplace.loggedIn()
    let refused = try place.run("profile", "remove", "work")
    #expect(refused.status == 2 && refused.error.contains("authctl logout work"), "\(refused.error)")
    #expect(try place.stored() != nil && FileManager.default.fileExists(atPath: place.file().path))
    let forced = try place.run("profile", "remove", "work", "--force")
    #expect(forced.status == 0, "\(forced.error)")
    #expect(try place.stored() == nil && !FileManager.default.fileExists(atPath: place.file().path))
    #expect(try place.lab.lastRequests().isEmpty)
  }

  @Test("remove takes nothing where the keyring can't say whether somebody is logged in: status 4, --force or not")
  func removeBlindly() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    #expect(try place.run("profile", "remove", "work").status == 4)
    #expect(try place.run("profile", "remove", "work", "--force").status == 4)
    #expect(FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("remove asks on a terminal, and takes nothing but y for a yes", arguments: [("y\n", true), ("\n", false)])
  func removeAsks(response: String, isGone: Bool) throws {
    let place = try Workplace()
    try place.makeProfile()
    let terminal = try PseudoTerminal()
    let run = try place.start(["profile", "remove", "work"], input: .terminal(terminal))
    _ = try terminal.read(until: "[y/N]")
    try terminal.type(response)
    #expect(try run.wait().status == (isGone ? 0 : 1))
    #expect(FileManager.default.fileExists(atPath: place.file().path) != isGone)
  }

  private func findings(_ outcome: Outcome, level: String) throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    let findings = object?["findings"] as? [[String: String]] ?? []
    return findings.filter { $0["level"] == level }.compactMap { $0["about"] }
  }
}
