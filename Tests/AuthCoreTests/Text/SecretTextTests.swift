import Testing

@testable import AuthCore

@Suite("SecretText")
struct SecretTextTests {
  private static let jwt = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.topsecret_-"

  @Test(
    "a secret is taken out wherever its name says that it is one",
    arguments: [
      ("access_token=topsecret&x=1", "access_token=‹redacted›&x=1"),
      ("x=1&refreshToken=topsecret", "x=1&refreshToken=‹redacted›"),
      ("a?api_key=topsecret#f", "a?api_key=‹redacted›#f"), ("apikey='topsecret' b", "apikey='‹redacted›' b"),
      ("access%5Ftoken=topsecret", "access%5Ftoken=‹redacted›"),
      ("client_secret=top,secret;x y", "client_secret=‹redacted› y"),
      (#"{"accessToken":"topsecret","a":1}"#, #"{"accessToken":"‹redacted›","a":1}"#),
      (#"{"id_token" : "top\"secret\\\"", "a":1}"#, #"{"id_token" : "‹redacted›", "a":1}"#),
      (#"{"password":1234567,"a":1}"#, #"{"password":‹redacted›,"a":1}"#),
      (#"{"tokens":["topsecret","topsecret"],"a":1}"#, #"{"tokens":[‹redacted›],"a":1}"#),
      (#"{"token":{"value_of_jwt":"topsecret"}}"#, #"{"token":{"value_of_jwt":"‹redacted›"}}"#),
      (#"{"accessToken":"topsecr"#, #"{"accessToken":"‹redacted›"#),
      (#"{"body":"{\"accessToken\":\"topsecret\",\"a\":1}"}"#, #"{"body":"{\"accessToken\":\"‹redacted›\",\"a\":1}"}"#),
      ("https://u:topsecret@h/x and https://u:topsecret@h", "https://‹redacted›@h/x and https://‹redacted›@h"),
      ("got Bearer topsecret123== back", "got Bearer ‹redacted› back"), ("is \(jwt) here", "is ‹redacted› here"),
      ("x=\(jwt)&y", "x=‹redacted›&y"),
    ])
  func redacted(text: String, expected: String) {
    #expect(SecretText.redacted(text) == expected)
  }

  @Test(
    "text that is not secret is unchanged",
    arguments: [
      "", "=", "\"", "token_type=Bearer&expires_in=5", #"{"token_type":"Bearer","accessTokenExpiresIn":300}"#,
      #"Bearer realm="x", error="invalid_token", error_description="expired""#, "Bearer authentication failed",
      "grant_type=refresh_token", "https://id.example/token: 200", "token_endpoint=https://h/x", "<html>log in</html>",
      "code: 7", #"{"a":"x","b":["y"]}"#, "Basic authentication",
    ])
  func plain(text: String) {
    #expect(SecretText.redacted(text) == text)
  }

  @Test(
    "names of secrets in any spelling",
    arguments: [
      ("accessToken", true), ("refreshToken", true), ("idToken", true), ("jwt", true), ("sessionId", true),
      ("X-JFrog-Art-Api", true), ("Ocp-Apim-Subscription-Key", true), ("api_key", true), ("apikey", true),
      ("X-Api-Key", true), ("code", true), ("state", true), ("client_secret", true), ("Set-Cookie", true),
      ("token_type", false), ("tokenEndpoint", false), ("expires_in", false), ("errorCode", false), ("status", false),
      ("monkey", false), ("Content-Type", false), ("", false),
    ])
  func names(name: String, isSecret: Bool) {
    #expect(SecretNames.isSecret(name) == isSecret)
  }
}
