import AuthCore
import Testing

@testable import AuthctlCLI

@Suite struct URLAppendingTests {
  @Test(
    "-G appends to the query as curl does",
    arguments: [
      ("http://h/", "a=b", "http://h/?a=b"), ("http://h", "a=b", "http://h/?a=b"),
      ("http://h/?", "a=b", "http://h/?a=b"),
      ("http://h/?x=y", "a=b", "http://h/?x=y&a=b"), ("http://h/?x=y&", "a=b", "http://h/?x=y&a=b"),
      ("http://h/p#f", "a=b", "http://h/p?a=b"), ("http://h/", "a=b#c", "http://h/?a=b"),
      ("http://h/", "", "http://h/"),
      ("http://h/?x=%C3%A4", "a=%C3%A4%GG%2", "http://h/?x=%C3%A4&a=%c3%a4%GG%2"),
    ])
  func queryData(url: String, query: String, result: String) throws {
    #expect(try WebURL(url).appendingEscaped(query: query).string == result)
  }

  @Test("white space in a query is refused")
  func whiteSpace() throws {
    let url = try WebURL("http://h/")
    #expect(throws: WebURL.Invalid.self) { try url.appendingEscaped(query: "a b") }
  }

  @Test(
    "-T appends the file's name where the address ends in a slash",
    arguments: [
      ("http://h/", "f", "http://h/f"), ("http://h", "d/f", "http://h/f"),
      ("http://h/d/", "/a/b c", "http://h/d/b%20c"),
      ("http://h/d/?q=1", "f", "http://h/d/f?q=1"), ("http://h/d", "f", "http://h/d"),
      ("http://h/", "a\\b", "http://h/b"),
      ("http://h/%C3/", "ü~", "http://h/%c3/%c3%bc~"), ("http://h/", "..%2f", "http://h/..%252f"),
    ])
  func fileName(url: String, file: String, result: String) throws {
    #expect(try WebURL(url).appendingName(ofFile: file).string == result)
  }
}
