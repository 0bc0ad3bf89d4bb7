import Foundation
import TestSupport
import Testing

/// Dynamic registration at three servers that are not ours. What they respond, seen on the wire:
///
/// - glewlwyd 2.7.5: 200 (not 201) for all that RFC 7591 allows, without a complaint about the scope. It registers a
///   public client (`"token_endpoint_auth_method": "none"` and no secret), and then refuses it everywhere: 403 with an
///   empty body for a pushed request, 403 `unauthorized_client` at the token endpoint. A client with
///   `client_secret_basic` works. GET of the registration has `token_endpoint_auth_method` as an array, and no
///   registration token; DELETE is 200, and any request after it 401.
/// - canaille 0.3.6: 400 `access_denied` without its initial access token, which is good for one registration; with it
///   201, with a secret although the method is `none`. GET and DELETE of the registration fail with 500.
/// - django-oauth-toolkit 3.4.1: 201 with neither scope nor times. DELETE is 204. Its token endpoint responds
///   `invalid_client` with 401 after it.
@Suite("registration at real servers")
struct RealServerRegistrationTests {
  private func logIn(_ place: Workplace, _ url: String, _ password: String, _ more: [String] = []) throws -> Outcome {
    try place.logIn(at: url, ["-p", "real"] + more, password: password)
  }

  /// Asks for a registration by its address (RFC 7592, section 2.1), and returns the status.
  private func status(of client: JSONObject, _ place: Workplace) throws -> String {
    let address = try #require(client.string("registration_client_uri"))
    let token = try #require(client.string("registration_access_token"))
    let options = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer \(token)"]
    return try place.session.run("curl", options + [address])
  }

  /// Logs out and removes the profile.
  private func remove(_ place: Workplace) throws -> Outcome {
    let logout = try place.run("logout", "real")
    #expect(try place.stored("real") == nil, "\(logout.error)")
    return try place.run("profile", "remove", "real", "--non-interactive")
  }

  @Test(
    "glewlwyd, from its issuer, a page below it, its metadata's address: registered, pushed, called, deleted",
    arguments: ["", "/", "/auth", "/.well-known/openid-configuration"])
  func glewlwyd(path: String) throws {
    let server = try Glewlwyd(accessLifetime: 60, registration: true)
    let place = try Workplace()
    let login = try logIn(place, server.issuer + path, server.password, ["--api", server.issuer])
    try #require(login.status == 0, "\(login.error)")
    let client = try #require(try place.registration(at: server.issuer))
    #expect(client.string("client_secret") != nil)
    let first = try #require(try place.visited().first)
    #expect(first.contains("request_uri=") && !first.contains("code_challenge="), "\(first)")
    #expect(try place.run("call", "userinfo").json().string("sub")?.isEmpty == false)
    #expect(try place.run("refresh", "real").status == 0)
    #expect(try place.run("call", "userinfo").status == 0)
    #expect(try status(of: client, place) == "200")
    let removal = try remove(place)
    removal.expect(0)
    #expect(try place.registration(at: server.issuer) == nil)
    #expect(try status(of: client, place) == "401")
  }

  @Test(
    "django-oauth-toolkit, from the API and from its issuer: registered, called, deleted",
    arguments: ["api", "issuer"])
  func django(from: String) throws {
    let server = try PythonServer.start("django_server.py", name: "django-oauth-toolkit")
    let place = try Workplace()
    let url = from == "api" ? server.api.base : server.issuer
    let login = try logIn(place, url, server.password, from == "api" ? [] : ["--api", server.api.base])
    try #require(login.status == 0, "\(login.error)")
    let client = try #require(try place.registration(at: server.issuer))
    #expect(client.string("client_secret") == nil)
    #expect(try place.run("call", server.api.path).json().string("sub") == "alice")
    #expect(try place.run("refresh", "real").status == 0)
    #expect(try place.run("call", server.api.path).status == 0)
    #expect(try status(of: client, place) == "200")
    let removal = try remove(place)
    removal.expect(0)
    #expect(try place.registration(at: server.issuer) == nil)
    #expect(try status(of: client, place) == "401")
  }

  @Test("canaille, closed: exit 2 names the initial access token, with which it registers, once")
  func canaille() throws {
    let server = try PythonServer.start("canaille_server.py", name: "canaille")
    let token = try #require(server.initialAccessToken)
    let place = try Workplace()
    let closed = try logIn(place, server.issuer, server.password, ["--api", server.api.base])
    closed.expect(2, error: "--registration-token-stdin", "http://127.0.0.1")
    #expect(try place.registration(at: server.issuer) == nil)

    let options = ["-p", "real", "--api", server.api.base, "--registration-token-stdin"]
    let login = try place.logIn(at: server.issuer, options, input: .text(token), password: server.password)
    try #require(login.status == 0, "\(login.error)")
    #expect(try place.registration(at: server.issuer)?.string("client_id") == "registered-by-token")
    #expect(try place.run("call", server.api.path).json().string("sub") == "alice")
    // Its own endpoint for registrations fails: the profile is removed all the same.
    let removal = try remove(place)
    removal.expect(5, error: "registered-by-token")
    #expect(try place.registration(at: server.issuer) == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file("real").path))
  }
}
