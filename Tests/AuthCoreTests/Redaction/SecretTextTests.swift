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
      (#"{"tokens":["topsecret","topsecret"],"a":1}"#, #"{"tokens":["‹redacted›","‹redacted›"],"a":1}"#),
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
    "a secret is taken out of XML, YAML, lines, objects and keys",
    arguments: [
      ("<access_token>topsecret</access_token>", "<access_token>‹redacted›</access_token>"),
      ("<a:token x='1'>\n topsecret </a:token>", "<a:token x='1'>\n ‹redacted› </a:token>"),
      (
        "<Token><Value>topsecret</Value><Type>x</Type></Token>",
        "<Token><Value>‹redacted›</Value><Type>x</Type></Token>"
      ),
      ("<password><![CDATA[top secret]]></password>", "<password><![CDATA[‹redacted›]]></password>"),
      ("<s token=\"topsecret\" password='x'/>", "<s token=\"‹redacted›\" password='‹redacted›'/>"),
      ("access_token: topsecret1\nb: c", "access_token: ‹redacted›\nb: c"),
      ("- token = topsecret", "- token = ‹redacted›"),
      ("the token: topsecret1, then", "the token: ‹redacted›, then"),
      ("  password: top secret\n", "  password: ‹redacted›\n"),
      (":token => 'topsecret'", ":token => '‹redacted›'"), ("{'token': 'topsecret'}", "{'token': '‹redacted›'}"),
      ("Cookie: a=b; c=d\r\nX: y", "Cookie: ‹redacted›\r\nX: y"),
      ("Authorization: Other topsecret x\n", "Authorization: Other ‹redacted›\n"),
      (
        #"{"token":{"value":"topsecret","type":"b","expires_at":"2026-01-01T00:00:00Z"},"value":"plain-text"}"#,
        #"{"token":{"value":"‹redacted›","type":"b","expires_at":"2026-01-01T00:00:00Z"},"value":"plain-text"}"#
      ),
      (
        #"{"access_token":{"token":"topsecret"},"note":"a }"}"#,
        #"{"access_token":{"token":"‹redacted›"},"note":"a }"}"#
      ),
      (#"{"token":{"note":"a } b","value":"topsecret"}}"#, #"{"token":{"note":"a } b","value":"‹redacted›"}}"#),
      (#"{"tokens":[["topsecret"],"topsecret"]}"#, #"{"tokens":[["‹redacted›"],"‹redacted›"]}"#),
      (
        #"{"kty":"EC","crv":"P-256","d":"topsecret-topsecret","x":"public-public-public"}"#,
        #"{"kty":"EC","crv":"P-256","d":"‹redacted›","x":"public-public-public"}"#
      ),
      (#"{"access\u005ftoken":"topsecret"}"#, #"{"access\u005ftoken":"‹redacted›"}"#),
      (#"{"\u0061ccess_tok\u0065n":"topsecret"}"#, #"{"\u0061ccess_tok\u0065n":"‹redacted›"}"#),
      (#"{"token":"top\\","a":"b"}"#, #"{"token":"‹redacted›","a":"b"}"#),
      ("%61ccess%5F%74oken=topsecret&x=1", "%61ccess%5F%74oken=‹redacted›&x=1"),
      (
        "/x?next=https%3A%2F%2Fh%2F%3Faccess_token%3Dtopsecret%26y%3D1",
        "/x?next=https%3A%2F%2Fh%2F%3Faccess_token%3D‹redacted›%26y%3D1"
      ),
      ("a=access_token%253Dtopsecret", "a=access_token%253D‹redacted›"),
      ("{&quot;token&quot;:&quot;topsecret&quot;}", "{&quot;token&quot;:&quot;‹redacted›&quot;}"),
      (
        #"{"user_code":"TOPS-ECRT","device_code":"topsecret"}"#,
        #"{"user_code":"‹redacted›","device_code":"‹redacted›"}"#
      ),
      (
        "-----BEGIN PRIVATE KEY-----\ntopsecret\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----‹redacted›-----END PRIVATE KEY-----"
      ),
      (
        #"{"pem":"-----BEGIN RSA PRIVATE KEY-----\ntopsecret"}"#,
        #"{"pem":"-----BEGIN RSA PRIVATE KEY-----‹redacted›"}"#
      ),
      ("a+token+=+topsecret1&x", "a+token+=+‹redacted›&x"), ("token=+topsecret&x", "token=‹redacted›&x"),
      ("k=-----BEGIN+PRIVATE+KEY-----%0Atop-----END", "k=-----BEGIN+PRIVATE+KEY-----‹redacted›-----END"),
      ("bad proxy 'u:p/w@proxy:3128'", "bad proxy '‹redacted›@proxy:3128'"),
      ("http://u:p/w@h and https://u:p?w@h", "http://‹redacted›@h and https://‹redacted›@h"),
    ])
  func forms(text: String, expected: String) {
    #expect(SecretText.redacted(text) == expected)
  }

  @Test(
    "text that is not secret is unchanged",
    arguments: [
      "", "=", "\"", "token_type=Bearer&expires_in=5", #"{"token_type":"Bearer","accessTokenExpiresIn":300}"#,
      #"Bearer realm="x", error="invalid_token", error_description="expired""#, "Bearer authentication failed",
      "grant_type=refresh_token", "https://id.example/token: 200", "token_endpoint=https://h/x", "<html>log in</html>",
      "token: expired", "<Code>AccessDenied</Code><Key>a/b1234567.txt</Key>", "Vec<Token> list1234 = f<a>();",
      #"{"d":"0123456789abcdef0123","k":"v"}"#, #"{"token":null,"password":true}"#, "state: 12345678",
      #"{"token_endpoint":"https://h/token","check_session_iframe":"https://h/s","tokens_supported":["abcdefgh1"]}"#,
      "https://api.example:8080/users/alice@example.com", "'alice@example.com' it's: a@b",
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
      "<token/>text1234</b>", "100% of &amp; and \\n", "a token = null", "write to mailto:alice@example.com",
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
