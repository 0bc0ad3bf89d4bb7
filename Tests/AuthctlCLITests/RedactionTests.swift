import Testing

@testable import AuthctlCLI

@Suite("Redaction") struct RedactionTests {
  @Test(
    "the value of a field that carries a secret is never shown",
    arguments: [
      "Authorization: Bearer topsecret", "Proxy-Authorization: Basic topsecret", "Cookie: a=topsecret",
      "X-Api-Key: topsecret", "Private-Token: topsecret", "X-Vault-Token: topsecret", "X-My-Session: topsecret",
      "DPoP: topsecret", "X-JFrog-Art-Api: topsecret", "Ocp-Apim-Subscription-Key: topsecret", "api_key: topsecret",
      "accessToken: topsecret", "X-Session-Id: topsecret", "authorization: Bearer topsecret", "X-Token: topsecret",
      "GET /x?accessToken=topsecret&y=1 HTTP/1.1", "GET /x?apikey=topsecret HTTP/1.1", "GET /x?jwt=topsecret HTTP/1.1",
      "Location: /x?subscription-key=topsecret", "Location: /cb#refreshToken=topsecret", "X-Debug: sessionId=topsecret",
      #"X-Debug: {"refreshToken": "topsecret", "a": 1}"#, "X-Debug: Bearer topsecret1",
      "Location: https://h/cb?code=topsecret&x=1", "GET /x?access_token=topsecret HTTP/1.1",
    ])
  func secret(line: String) {
    let shown = Redaction.headerLine(line, secretFields: [])
    #expect(!shown.contains("topsecret"))
    #expect(shown.contains("‹redacted"))
  }

  @Test(
    "what is no secret is shown as it is",
    arguments: ["WWW-Authenticate: Bearer realm=\"x\"", "Accept: */*", "GET /x?page=2 HTTP/1.1", "HTTP/1.1 200 OK"])
  func plain(line: String) {
    #expect(Redaction.headerLine(line, secretFields: []) == line)
  }

  @Test("the user information of a URL is not shown")
  func userInformation() {
    #expect(Redaction.parameters("https://u:topsecret@h/x") == "https://‹redacted›@h/x")
  }

  @Test("a control character can't reach the terminal")
  func control() {
    let shown = Redaction.headerLine("X: a\u{1B}[31mb", secretFields: [])
    #expect(shown == "X: a\\u{1b}[31mb")
  }
}
