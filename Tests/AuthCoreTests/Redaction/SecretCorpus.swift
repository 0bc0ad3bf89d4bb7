import Foundation

@testable import AuthCore

/// Documents of all kinds in which a secret is looked for, and the secrets and encodings to put there.
///
/// In a document, `NAME` is the name of the secret, `ESCAPED` and `PERCENT` are the name with the escapes of JSON and
/// with percent-encodings, and `VALUE` is the secret; `first` and `last` are no secrets.
enum SecretCorpus {
  struct Document: Sendable {
    let kind: String
    let text: String
    /// Whether it is a header line rather than a body or a message.
    var isHeader = false

    /// Returns the document with a secret.
    func filled(_ name: String, _ value: String) -> String {
      let escaped = name.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
      let percent = name.utf8.map { ($0 | 0x20) == UInt8(ascii: "e") ? String(UnicodeScalar($0)) : "%\($0.hex)" }
        .joined()
      return text.replacing("ESCAPED", with: escaped).replacing("PERCENT", with: percent)
        .replacing("NAME", with: name).replacing("VALUE", with: value)
    }
  }

  static let documents = bodies + headers

  /// The documents in which secrets in each encoding are cut at each position.
  static let cut: Set<String> = [
    "JSON", "JSON in JSON", "form", "JSON in form", "URL path", "XML", "YAML", "sentence value", "PEM",
  ]

  private static let bodies = [
    ("JSON", #"{"a":"first","NAME":"VALUE","z":"last"}"#),
    ("JSON with space", "{\n  \"a\" : \"first\",\n  \"NAME\" :\t\"VALUE\",\n  \"z\" : \"last\"\n}"),
    ("JSON number", #"{"a":"first","NAME":VALUE,"z":"last"}"#),
    ("JSON array", #"{"a":"first","NAME":["VALUE","VALUE"],"z":"last"}"#),
    ("JSON object", #"{"a":"first","NAME":{"value":"VALUE","type":"b"},"z":"last"}"#),
    ("JSON deep", #"{"a":"first","NAME":{"x":[{"y":"}"},{"y":"VALUE"}]},"z":"last"}"#),
    ("JSON lines", "{\"a\":\"first\"}\n{\"NAME\":\"VALUE\"}\n{\"z\":\"last\"}"),
    ("JSON escaped name", #"{"a":"first","ESCAPED":"VALUE","z":"last"}"#),
    ("JSON after text", #"first {"b":1,"NAME":"VALUE"} last"#),
    ("JSON in JSON", #"{"a":"first","b":"{\"c\":1,\"NAME\":\"VALUE\"}","z":"last"}"#),
    ("JSON in JSON in JSON", #"{"a":"first","b":"{\"c\":\"{\\\"NAME\\\":\\\"VALUE\\\"}\"}","z":"last"}"#),
    ("object in JSON in JSON", #"{"a":"first","b":"{\"NAME\":{\"c\":\"VALUE\"}}","z":"last"}"#),
    ("form in JSON", #"{"a":"first","b":"c=1&NAME=VALUE&d=2","z":"last"}"#),
    ("URL in JSON", #"{"a":"first","b":"https:\/\/h.example\/x?NAME=VALUE&d=2","z":"last"}"#),
    ("JSON in HTML", #"<script>let first = {"NAME": "VALUE"}; last</script>"#),
    ("JSON as HTML", "<p>first {&quot;NAME&quot;:&quot;VALUE&quot;} last</p>"),
    ("JSON web key", #"{"a":"first","keys":[{"kty":"oct","k":"VALUE"}],"z":"last"}"#),
    ("JavaScript", "{'a': 'first', 'NAME': 'VALUE', 'z': 'last'}"),
    ("JavaScript names", #"{a: "first", NAME: "VALUE", z: "last"}"#),
    ("form", "a=first&NAME=VALUE&z=last"), ("form at its start", "NAME=VALUE&a=first&z=last"),
    ("form at its end", "a=first&z=last&NAME=VALUE"), ("form with space", "a=first&NAME+=+VALUE&z=last"),
    ("form escaped name", "a=first&PERCENT=VALUE&z=last"), ("form in brackets", "a=first&u[NAME]=VALUE&z=last"),
    ("JSON in form", "a=first&b=%7B%22NAME%22%3A%22VALUE%22%7D&z=last"),
    ("URL in form", "a=first&b=https%3A%2F%2Fh.example%2F%3FNAME%3DVALUE%26c%3D1&z=last"),
    ("form in form in form", "a=first&b=c%3D%2526NAME%253DVALUE%2526d&z=last"),
    ("form line", "a=first\nNAME=VALUE\nz=last\n"),
    ("URL query", "https://h.example/first?NAME=VALUE&z=last"),
    ("URL fragment", "https://h.example/first#NAME=VALUE&z=last"),
    ("URL path", "https://h.example/first/VALUE/last"), ("URL user", "first https://VALUE@h.example/ last"),
    ("URL password", "first https://u:VALUE@h.example/ last"), ("relative URL", "/first?NAME=VALUE&z=last"),
    ("proxy", "first, bad proxy 'u:VALUE@proxy:3128', last"),
    ("request line", "GET /first?NAME=VALUE&b=last HTTP/1.1"),
    ("header in text", "A: first\r\nNAME: VALUE\r\nZ: last\r\n"),
    ("Authorization in text", "A: first\nAuthorization: Other VALUE x\nZ: last\n"),
    ("Cookie in text", "A: first\nCookie: a=VALUE; b=c\nZ: last\n"),
    ("link in HTML", #"<a href="/first?NAME=VALUE&amp;z=last">x</a>"#),
    ("HTML attribute", #"<input a="first" NAME="VALUE" z="last">"#), ("HTML sentence", "<p>first NAME: VALUE last</p>"),
    ("HTML field", #"<b>first</b><input name="NAME" value="VALUE"><b>last</b>"#),
    ("HTML table", "<td>first</td><td>NAME</td><td>VALUE</td><td>last</td>"),
    ("XML", "<a>first</a><NAME>VALUE</NAME><z>last</z>"),
    ("XML with space", "<a>first</a>\n<s:NAME x=\"1\">\n  VALUE\n</s:NAME>\n<z>last</z>"),
    ("XML CDATA", "<a>first</a><NAME><![CDATA[VALUE]]></NAME><z>last</z>"),
    ("XML inner", "<a>first</a><NAME><Type>b</Type><Value>VALUE</Value></NAME><z>last</z>"),
    ("XML attribute", "<a>first</a><b NAME='VALUE'/><z>last</z>"),
    ("XML escaped", "first &lt;NAME&gt;VALUE&lt;/NAME&gt; last"),
    ("XML cut", "<a>first</a><z>last</z><NAME>VALUE"),
    ("YAML", "a: first\nNAME: VALUE\nz: last\n"), ("YAML list", "a: first\nb:\n  - NAME: VALUE\nz: last\n"),
    ("YAML quoted", "a: first\nNAME: \"VALUE\"\nz: last\n"), ("YAML single", "a: first\nNAME: 'VALUE'\nz: last\n"),
    ("YAML flow", "{a: first, NAME: VALUE, z: last}"), ("YAML next line", "a: first\nNAME:\n  VALUE\nz: last\n"),
    ("INI", "a = first\nNAME = VALUE\nz = last\n"), ("shell", "echo first\nexport NAME=VALUE\necho last\n"),
    ("Go", "first, NAME := VALUE, last"), ("Ruby", "{:a => 'first', :NAME => 'VALUE', :z => 'last'}"),
    ("sentence colon", "first, the NAME: VALUE, last"), ("sentence equals", "first, NAME=VALUE last"),
    ("sentence is", "first, the NAME is VALUE, last"), ("sentence quoted", "first, the NAME \"VALUE\" last"),
    ("sentence alone", "first\nNAME: VALUE and more\nlast"), ("sentence in brackets", "first (NAME: VALUE) last"),
    ("sentence value", "first, VALUE last"), ("Bearer", "first Bearer VALUE last"), ("Basic", "first Basic VALUE last"),
    ("PEM", "first\n-----BEGIN PRIVATE KEY-----\nVALUE\n-----END PRIVATE KEY-----\nlast"),
    (
      "PEM in JSON",
      #"{"a":"first","b":"-----BEGIN EC PRIVATE KEY-----\nVALUE\n-----END EC PRIVATE KEY-----","z":"last"}"#
    ),
    ("PEM in form", "a=first&b=-----BEGIN+PRIVATE+KEY-----%0AVALUE%0A-----END+PRIVATE+KEY-----&z=last"),
  ].map { Document(kind: $0, text: $1) }

  private static let headers = [
    ("field", "NAME: VALUE"), ("Authorization", "Authorization: Bearer VALUE"),
    ("Authorization Basic", "authorization: Basic VALUE"),
    ("Authorization other", "Proxy-Authorization: Other VALUE"), ("Cookie", "Cookie: a=VALUE; b=c"),
    ("Set-Cookie", "Set-Cookie: a=VALUE; Path=/"), ("Location", "Location: https://h.example/first?NAME=VALUE&z=last"),
    ("form in field", "X-Any: first NAME=VALUE last"),
    ("JSON in field", #"X-Any: {"a": "first", "NAME": "VALUE", "z": "last"}"#),
    ("value in field", "X-Any: first VALUE last"),
  ].map { Document(kind: $0, text: $1, isHeader: true) }

  /// Secrets that have been sent.
  static let known = [
    ("token", "Zk4xQw8LmTn2vB7RsY5pDc1HfG9jK3nE"), ("password", "mari gold/+é\"<x>"), ("secret", "marigold-blue"),
    ("code", "482913"),
    ("JWT", "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlLXF1aXRlLWxvbmc"),
  ]

  /// Values that have not been sent.
  static let unknown = [
    ("word", "marigold"), ("word and digit", "marigold1"), ("random", "Zk4xQw8LmTn2vB7RsY5pDc1HfG9jK3nE"),
    ("number", "48291375"),
  ]

  /// Names of secrets, and one that the program states.
  static let names = [
    "access_token", "refreshToken", "client_secret", "password", "code", "state", "user_code", "api_key",
    "Authorization",
    "sid", "jwt", "X-Api-Key", "session-id", "pin", "guestKey",
  ]

  /// Values that are recognized by their form.
  static let formed = [
    ("JWT", known[4].1), ("unsigned", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."), ("Bearer", "Bearer Zk4xQw8LmTn2vB7R"),
    ("Basic", "Basic YWxpY2U6bWFyaWdvbGQ="), ("DPoP", "DPoP Zk4xQw8LmTn2vB7R"), ("random", known[0].1),
  ]

  // MARK: - Encodings

  struct Encoding: Sendable {
    let name: String
    let encode: @Sendable (String) -> String
    /// The characters at each end that depend on what is around the secret.
    var margin = 0
  }

  static let encodings = [
    Encoding(name: "plain") { $0 }, Encoding(name: "form", encode: { FormEncoding.encode($0) }),
    Encoding(name: "percent") { each($0) { "%\($0.hex)" } }, Encoding(name: "twice") { each($0) { "%25\($0.hex)" } },
    Encoding(name: "thrice") { each($0) { "%2525\($0.hex)" } },
    Encoding(name: "JSON") { $0.replacing("\"", with: "\\\"").replacing("/", with: "\\/") },
    Encoding(name: "JSON in JSON") { $0.replacing("\"", with: "\\\\\\\"").replacing("/", with: "\\\\\\/") },
    Encoding(name: "\\u") { $0.utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined() },
    Encoding(name: "\\x") { each($0) { "\\x\($0.hex)" } },
    Encoding(name: "HTML decimal") { $0.unicodeScalars.map { "&#\($0.value);" }.joined() },
    Encoding(name: "HTML hexadecimal") { $0.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined() },
    Encoding(name: "HTML named") { html($0) }, Encoding(name: "hexadecimal") { each($0) { $0.hex } },
    Encoding(name: "HEXADECIMAL") { each($0) { $0.hex.uppercased() } },
    Encoding(name: "Base64", encode: { base64($0) }, margin: 3),
    Encoding(name: "Base64url", encode: { url(base64($0)) }, margin: 3),
    Encoding(name: "Base64 behind one", encode: { base64("a" + $0 + "z") }, margin: 4),
    Encoding(name: "Base64url behind two", encode: { url(base64("ab" + $0 + "yz")) }, margin: 5),
  ]

  private static func each(_ text: String, _ encode: (UInt8) -> String) -> String { text.utf8.map(encode).joined() }
  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
  private static func url(_ text: String) -> String {
    text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
  private static func html(_ text: String) -> String {
    [
      ("\"", "&quot;"), ("<", "&lt;"), (">", "&gt;"), ("/", "&sol;"), ("+", "&plus;"), ("_", "&lowbar;"),
      (".", "&period;"),
    ]
    .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}

extension UInt8 {
  fileprivate var hex: String { String(0x100 + Int(self), radix: 16).suffix(2).lowercased() }
}
