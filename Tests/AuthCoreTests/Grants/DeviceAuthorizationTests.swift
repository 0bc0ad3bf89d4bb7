import Testing

@testable import AuthCore

@Suite("DeviceAuthorization")
struct DeviceAuthorizationTests {
  private func read(_ members: String) throws -> DeviceAuthorization {
    try DeviceAuthorization(JSONValue(parsing: Array("{\(members)}".utf8)))
  }

  private let codes = #""device_code":"d","user_code":"u""#
  private let page = #""verification_uri":"https://id.example/device""#

  @Test("the example of RFC 8628, section 3.2 is read")
  func example() throws {
    let response = try read(
      """
      "device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
      "user_code": "WDJB-MJHT",
      "verification_uri": "https://example.com/device",
      "verification_uri_complete": "https://example.com/device?user_code=WDJB-MJHT",
      "expires_in": 1800,
      "interval": 5
      """)
    #expect(response.deviceCode == Secret("GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS"))
    #expect(response.userCode == "WDJB-MJHT")
    #expect(response.verificationURI == "https://example.com/device")
    #expect(response.verificationURIComplete == "https://example.com/device?user_code=WDJB-MJHT")
    #expect(response.expiresIn == 1800)
    #expect(response.interval == 5)
  }

  @Test(
    "an interval that is absent or junk is five seconds, and none is shorter than one or longer than sixty",
    arguments: [
      ("", 5), (#","interval":null"#, 5), (#","interval":"soon""#, 5), (#","interval":-3"#, 5),
      (#","interval":[1]"#, 5),
      (#","interval":true"#, 5), (#","interval":0"#, 1), (#","interval":0.2"#, 1), (#","interval":"7""#, 7),
      (#","interval":2.5"#, 2.5), (#","interval":1e300"#, 60), (#","interval":86400"#, 60),
    ])
  func interval(member: String, expected: Double) throws {
    #expect(try read("\(codes),\(page)\(member)").interval == expected)
  }

  @Test(
    "a life of the codes that is absent or junk is ten minutes, and none is longer than an hour",
    arguments: [
      ("", 600), (#","expires_in":"x""#, 600), (#","expires_in":-1"#, 600), (#","expires_in":"900""#, 900),
      (#","expires_in":0"#, 1), (#","expires_in":9e99"#, 3600),
    ])
  func expiresIn(member: String, expected: Double) throws {
    #expect(try read("\(codes),\(page)\(member)").expiresIn == expected)
  }

  @Test("verification_url is taken where a server calls it so; a fragment stays")
  func otherName() throws {
    #expect(
      try read(#"\#(codes),"verification_url":"https://www.google.com/device""#).verificationURI
        == "https://www.google.com/device")
    #expect(
      try read(#"\#(codes),"verification_uri":"https://id.example/#/device""#).verificationURI
        == "https://id.example/#/device")
  }

  @Test(
    "a page that is not a web address, or has control characters, is refused",
    arguments: [
      "javascript:alert(1)", "file:///etc/passwd", "ftp://id.example/", "https://id.example/\\u001b[2J",
      "https://id.example/\\u009b2J", "https://id.example/ x", "https://user@id.example/", "device", "",
    ])
  func unusablePage(text: String) throws {
    #expect(throws: DeviceAuthorization.Malformed(reason: "the response's verification_uri is not a usable URL")) {
      try read(#"\#(codes),"verification_uri":"\#(text)""#)
    }
    #expect(
      try read(#"\#(codes),\#(page),"verification_uri_complete":"\#(text)""#).verificationURIComplete == nil)
  }

  @Test("shown values cannot control the terminal: control and direction characters are escaped")
  func safe() throws {
    let response = try read(
      #""device_code":"d","user_code":"A\u001b[31mB\u202e","verification_uri":"https://id.example/\u202ecod""#)
    #expect(response.userCode == "A\\u{1b}[31mB\\u{202e}")
    #expect(response.verificationURI == "https://id.example/%E2%80%AEcod")
  }

  @Test(
    "a required member that is missing is named",
    arguments: [
      (#""user_code":"u","verification_uri":"https://a/""#, "the response has no device_code"),
      (#""device_code":"","user_code":"u","verification_uri":"https://a/""#, "the response has no device_code"),
      (#""device_code":"d","user_code":7,"verification_uri":"https://a/""#, "the response has no user_code"),
      (#""device_code":"d","user_code":"u""#, "the response has no verification_uri"),
      (
        #""device_code":"d","user_code":"u","verification_uri":7"#,
        "the response's verification_uri is not a usable URL"
      ),
    ])
  func missing(members: String, reason: String) {
    #expect(throws: DeviceAuthorization.Malformed(reason: reason)) { try read(members) }
  }

  @Test("an array is not a valid response")
  func array() {
    #expect(throws: DeviceAuthorization.Malformed(reason: "the response is not a JSON object")) {
      try DeviceAuthorization(.array([]))
    }
  }
}
