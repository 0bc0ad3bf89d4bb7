import Foundation
import TestSupport

/// One cell of the table: a whole life of a session with one flow, one client authentication, one server.
struct MatrixCell {
  /// A cell that did not work.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let server: MatrixServer
  let place: Workplace
  let flow: String
  let method: String
  let client: MatrixServer.Client

  private var profile: String { "\(server.name)-\(flow)-\(method)" }

  /// Logs in, calls, refreshes, calls again, logs out.
  ///
  /// - Returns: what is to be noted about it; empty for nothing.
  /// - Throws: ``Failure`` at the first step that fails.
  func run() throws -> String {
    var notes: [String] = []
    try logIn()
    try useToken()
    let before = try place.pair(profile).string("access_token") ?? ""
    // A JWT whose claims are the same, to the second, is the same token.
    let second = Date().timeIntervalSince1970.rounded(.down)
    if before.split(separator: ".").count == 3 {
      try Waiting.until("another second") { Date().timeIntervalSince1970.rounded(.down) > second }
    }
    if try ["client-credentials", "jwt-bearer"].contains(flow) || place.pair(profile).string("refresh_token") != nil {
      try expect(0, place.run("refresh", profile), "refresh")
      guard try place.pair(profile).string("access_token") != before else {
        throw Failure(description: "refresh: the access token is the old one")
      }
      try useToken()
    } else {
      notes.append("no refresh token")
    }
    let logout = try place.run("logout", profile)
    if logout.status == 6 {
      notes.append("revocation refused")
    } else {
      try expect(0, logout, "logout")
    }
    guard try place.stored(profile) == nil else { throw Failure(description: "logout: the tokens are still stored") }
    return notes.joined(separator: "; ")
  }

  private func logIn() throws {
    try place.makeProfile(profile, settings(flow: flow), tables: tables)
    guard flow == "token" || flow == "token-exchange" else {
      return try expect(0, logIn(profile, flow: flow), "login")
    }
    // Tokens from elsewhere: those of a login in the browser, with which nothing else is done.
    let other = profile + "-source"
    try place.makeProfile(other, settings(flow: "browser"))
    try expect(0, logIn(other, flow: "browser"), "login for the tokens")
    let pair = try place.stored(other) ?? ""
    let subject = flow == "token" ? [] : ["--subject-token-stdin"]
    let input = flow == "token" ? pair : try place.pair(other).string("access_token") ?? ""
    try expect(0, place.run(["login", profile] + subject + secretOptions(), input: .text(input)), "login")
  }

  private var tables: String {
    let endpoint = server.deviceAuthorization.map { "[endpoints]\ndevice_authorization = \"\($0)\"\n" } ?? ""
    return endpoint + (flow == "jwt-bearer" ? "[parameters]\nassertion = { iss = \"key\" }\n" : "")
  }

  private func logIn(_ profile: String, flow: String) throws -> Outcome {
    guard flow != "device" else { return try logInOnDevice(profile) }
    let password = flow == "password" ? ["--password-stdin"] : []
    return try place.run(
      ["login", profile] + password + secretOptions(), input: flow == "password" ? .text(server.password) : .nothing,
      environment: flow == "browser" ? place.browser(password: server.password) : [:])
  }

  /// The person goes to the page that is shown, with the code in its address, and approves there.
  private func logInOnDevice(_ profile: String) throws -> Outcome {
    let run = try place.start(["login", profile] + secretOptions())
    var page: String?
    try Waiting.until("the page of \(profile): \(run.errorSoFar)") {
      let lines = run.errorSoFar.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      page = lines.first { $0.hasPrefix("http") && $0.contains("code=") }
      return page != nil
    }
    try expect(0, place.visit(page ?? "", password: server.password), "the page")
    return try run.wait()
  }

  /// The settings of a profile; those of ``Workplace/makeProfile(_:_:tables:)`` that are not meant are replaced.
  private func settings(flow: String) -> String {
    func list(_ texts: [String]) -> String { "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }
    var lines = [
      "issuer = \"\(server.issuer)\"", "client_id = \"\(client.id)\"", "flow = \"\(flow)\"",
      "api = \(list([server.api.base]))", "scope = \(list(server.scope(flow: flow)))", "refresh_before = \"0s\"",
      "client_authentication = \"\(method)\"",
    ]
    if !server.redirectURIs.isEmpty { lines.append("redirect_uri = \(list(server.redirectURIs))") }
    if let key = client.key {
      lines.append("assertion_key = \"\(key.file)\"")
      if !key.id.isEmpty { lines.append("assertion_key_id = \"\(key.id)\"") }
    }
    if method.hasSuffix("_jwt"), let audience = server.assertionAudience {
      lines.append("assertion_audience = \"\(audience)\"")
    }
    // The client whose secret has special characters is that of a server that takes it raw.
    if method == "client_secret_basic" { lines.append("basic_encoding = \"percent\"") }
    return lines.joined(separator: "\n")
  }

  private func secretOptions() throws -> [String] {
    guard let secret = client.secret else { return [] }
    return ["--client-secret-file", try place.secretFile(secret, "\(profile).secret")]
  }

  private func useToken() throws {
    guard flow == "client-credentials", let introspection = server.introspection else {
      return try expect(0, place.run("call", "-p", profile, server.api.path), "call")
    }
    // One who proves who it is by assertions would have to create one for curl: the refresh must do as a proof.
    guard !method.hasSuffix("_jwt") else { return }
    let token = try place.pair(profile).string("access_token") ?? ""
    let basic = method == "client_secret_basic"
    let credentials =
      basic
      ? ["-u", "\(client.id):\(client.secret ?? "")"]
      : ["-d", "client_id=\(client.id)", "--data-urlencode", "client_secret=\(client.secret ?? "")"]
    let response = try place.session.run("curl", ["-s", "-d", "token=\(token)"] + credentials + [introspection])
    guard response.contains("\"active\":true") else { throw Failure(description: "introspection: \(response)") }
  }

  private func expect(_ status: Int32, _ outcome: Outcome, _ step: String) throws {
    guard outcome.status == status else {
      throw Failure(description: "\(step): status \(outcome.status): \(outcome.error)")
    }
  }
}
