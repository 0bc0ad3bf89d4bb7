import AuthCore
import HTTPTypes
import Testing

@testable import AuthctlCLI

@Suite struct RequestFieldsTests {
  private func transfer(_ invocation: Invocation, tokenField: HTTPField.Name? = nil) throws -> Transfer {
    let lines = try invocation.values(CallOptions.header).map { try HeaderLine(Array($0.utf8)) }
    var transfer = Transfer(method: .get, url: try WebURL("http://h/"))
    try RequestFields(invocation).with(lines, tokenField: tokenField, isProven: tokenField != nil).fill(&transfer)
    return transfer
  }

  private func list(_ fields: HTTPFields) -> [String] { fields.map { "\($0.name.rawName): \($0.value)" } }

  @Test("a plain request has the name of the program and takes everything")
  func plainRequest() throws {
    let plain = try transfer(.call("/"))
    #expect(list(plain.standardFields) == ["User-Agent: \(Context.userAgent)", "Accept: */*"])
    #expect(plain.fields.isEmpty)
    #expect(!plain.refersOnward)
  }

  @Test("-A, -e and -r change the default fields; an empty value removes the field")
  func defaultFields() throws {
    let changed = try transfer(.call("/", "-A", "me", "-e", "http://r/", "-r", "1-2"))
    #expect(changed.standardFields[.userAgent] == "me")
    #expect(changed.standardFields[.referer] == "http://r/")
    #expect(changed.standardFields[.range] == "bytes=1-2")
    let empty = try transfer(.call("/", "-A", "", "-e", ""))
    #expect(empty.standardFields[.userAgent] == nil)
    #expect(empty.standardFields[.referer] == nil)
  }

  @Test(";auto adds a Referer to redirects", arguments: [("http://r/;auto", "http://r/"), (";auto", nil)])
  func automaticReferer(value: String, referer: String?) throws {
    let changed = try transfer(.call("/", "-e", value))
    #expect(changed.refersOnward)
    #expect(changed.standardFields[.referer] == referer)
  }

  @Test(
    "a range is bytes",
    arguments: [("5", "bytes=5-"), ("-5", "bytes=-5"), ("5-", "bytes=5-"), ("0-0,5-9", "bytes=0-0,5-9")])
  func byteRange(value: String, field: String) throws {
    #expect(try transfer(.call("/", "-r\(value)")).standardFields[.range] == field)
  }

  @Test(
    "text that cannot be a field's value is refused",
    arguments: [["-r", "x"], ["-r", ""], ["-r", "1-2\r\nX: y"], ["-A", "a\nb"], ["-e", "a\rb"]])
  func invalidValue(words: [String]) {
    #expect(throws: AuthError.self) { try transfer(.call("/", words[0], words[1])) }
  }

  @Test("JSON's fields follow the others, and only those that are not given")
  func jsonFields() throws {
    #expect(
      try list(transfer(.call("/", "--json", "{}", "-H", "X: 1")).fields)
        == ["X: 1", "Content-Type: application/json", "Accept: application/json"])
    #expect(
      try list(transfer(.call("/", "--json", "{}", "-H", "accept: a/b", "-H", "Content-Type:")).fields)
        == ["accept: a/b"])
  }

  @Test(
    "no line sets the token's header or its proof",
    arguments: ["Authorization: x", "authorization:", "Authorization;", "dpop: x"])
  func tokenHeader(line: String) {
    #expect(throws: AuthError.self) { try transfer(.call("/", "-H", line), tokenField: .authorization) }
    #expect(throws: Never.self) { try transfer(.call("/", "-H", line)) }
  }
}
