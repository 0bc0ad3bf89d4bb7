import Foundation
import HTTPTypes
import Testing

@testable import AuthCore

@Suite("CustomRequest")
struct CustomRequestTests {
  /// What people, and people with bad intentions, type.
  static let hostile = [
    "plain", "", "\"", "\\", "\\\"", "\",\"admin\":true,\"x\":\"", "}", "}}", "{", "{refresh_token}", "{username?}",
    "a&b=c", "a=b", "a+b", "%00", "\r\nX-Admin: 1", "\r\n\r\n--boundary", "\u{0}", "a\u{0}b", "\u{7F}\u{85}\u{2028}",
    "--authctl-", "é漢😀", "</script>", "../../etc/passwd", "?x=1#f", "';--",
    String(repeating: "ä\"&\r\n}\u{0}", count: 1 << 17),
  ]

  private func body(_ transfer: Transfer) throws -> [UInt8] {
    guard case .bytes(let bytes) = transfer.body else { throw Unexpected(transfer.body) }
    return bytes
  }

  @Test("a value in JSON is the string that was given, whatever is in it, and nothing else changes", arguments: hostile)
  func json(value: String) async throws {
    let request = try customRequest(
      #"url = "/x"\#njson = { a = { b = ["{username}", 1, true, 2.5], c = "<{username}>" }, d = "fixed" }"#)
    let transfer = try await request.filled(requestValues(["username": value, "refresh_token": "SECRET"]))
    let parsed = try JSONSerialization.jsonObject(with: Data(try body(transfer))) as? NSDictionary
    let expected: NSDictionary = ["a": ["b": [value, 1, true, 2.5], "c": "<\(value)>"], "d": "fixed"]
    #expect(parsed == expected)
    #expect(transfer.fields[.contentType] == "application/json")
  }

  @Test("a value in a form is the value of its field alone", arguments: hostile)
  func form(value: String) async throws {
    let request = try customRequest(#"url = "/x"\#nform = { "a[]" = "{username}", b = "fixed" }"#)
    let transfer = try await request.filled(requestValues(["username": value]))
    let fields = FormEncoding.decode(String(decoding: try body(transfer), as: UTF8.self))
    #expect(fields.map(\.name) == ["a[]", "b"])
    #expect(fields.map(\.value) == [value, "fixed"])
    #expect(transfer.fields[.contentType] == "application/x-www-form-urlencoded")
  }

  @Test("a value in a part is the content of that part alone", arguments: hostile)
  func multipart(value: String) async throws {
    let request = try customRequest(#"url = "/x"\#nmultipart = { a = "{username}", b = "fixed" }"#)
    let transfer = try await request.filled(requestValues(["username": value]))
    let type = try #require(transfer.fields[.contentType])
    let boundary = String(type.dropFirst("multipart/form-data; boundary=".count))
    #expect(boundary.utf8.count <= 70 && !value.contains(boundary))
    let expected =
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\(value)\r\n"
      + "--\(boundary)\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nfixed\r\n--\(boundary)--\r\n"
    #expect(try body(transfer) == Array(expected.utf8))
  }

  @Test(
    "the parts are in the order of the profile, in an inline table and in one of its own",
    arguments: [
      (
        #"multipart = { z = "1", "a.b" = "x, [y] = #", m = { file = "{f?}", fit = "1x1" }, b = '"', a = "4" }"#,
        "z a.b b a"
      ),
      (#"multipart = {z="\"1,", y = '],', b = """4"""}"#, "z y b"),
      ("[requests.other.multipart]\nz = \"1\" # {\n\ny = \"2\"\nb = \"3\"", "z y b"),
      ("multipart.z = \"1\"\nmultipart.y = \"2\"\nmultipart.b = \"3\"", "z y b"),
      ("multipart = { b = \"1\", a = \"2\" }", "b a"),
    ])
  func order(table: String, names: String) async throws {
    let request = try customRequest("url = \"/x\"\n" + table)
    let text = String(decoding: try body(await request.filled(RequestValues())), as: UTF8.self)
    #expect(text.matches(of: /name="([^"]*)"/).map { String($0.1) }.joined(separator: " ") == names, "\(text)")
  }

  @Test("a value in a URL is one segment of the path or one value of the query", arguments: hostile)
  func url(value: String) async throws {
    let request = try customRequest(#"url = "/users/{username}/login?as={username}&fixed=1""#)
    let values = requestValues(["username": value])
    guard !value.isEmpty else {
      await #expect(throws: AuthError.self) { try await request.filled(values) }
      return
    }
    let url = try await request.filled(values).url
    #expect(url.origin.string == "https://id.example")
    let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
    #expect(segments.count == 5 && segments[1] == "v1" && segments[2] == "users" && segments[4] == "login")
    #expect(segments[3].removingPercentEncoding == value)
    #expect(FormEncoding.decode(url.query ?? "").map(\.name) == ["as", "fixed"])
    #expect(FormEncoding.decode(url.query ?? "").first?.value == value)
  }

  @Test("a value that would make another path is refused", arguments: ["", ".", ".."])
  func path(value: String) async throws {
    let request = try customRequest(#"url = "/users/{username}/login""#)
    await #expect(throws: AuthError.self) { try await request.filled(requestValues(["username": value])) }
    let twice = try customRequest(#"url = "/users/{a}{b}""#)
    await #expect(throws: AuthError.self) { try await twice.filled(requestValues(["a": ".", "b": "."])) }
  }

  @Test("a value with a line end or control character is refused in a header", arguments: hostile)
  func header(value: String) async throws {
    let request = try customRequest(#"url = "/x"\#nheaders = { X-Name = "n={username}" }"#)
    let name = try #require(HTTPField.Name("X-Name"))
    let isClean = HTTPField.isValidValue(value)
    do {
      #expect(try await request.filled(requestValues(["username": value])).fields[name] == "n=\(value)")
      #expect(isClean)
    } catch {
      #expect(!isClean)
      #expect("\(error)".contains("X-Name") && (value.isEmpty || value == "plain" || !"\(error)".contains("Admin")))
    }
    #expect(!value.contains("\r\n") || !isClean)
  }

  @Test("absent optional values are omitted: members, elements, fields, parts, headers, the query")
  func absent() async throws {
    let json = try customRequest(#"url = "/x?a={a?}&b=1"\#njson = { a = "{a?}", b = ["{a?}", "x"], c = {d = "{a?}"} }"#)
    let transfer = try await json.filled(RequestValues())
    #expect(String(decoding: try body(transfer), as: UTF8.self) == #"{"b":["x"],"c":{}}"#)
    #expect(transfer.url.query == "b=1")
    let form = try customRequest("url = \"/x\"\nform = { a = \"{a?}\", b = \"1\" }\nheaders = { X-A = \"{a?}\" }")
    let sent = try await form.filled(RequestValues())
    #expect(String(decoding: try body(sent), as: UTF8.self) == "b=1")
    #expect(sent.fields.map(\.name.rawName) == ["Accept", "Content-Type"])
    let parts = try customRequest("url = \"/x\"\nmultipart = { a = \"@{a?}\", b = \"1\" }")
    #expect(!String(decoding: try body(await parts.filled(RequestValues())), as: UTF8.self).contains("\"a\""))
  }

  @Test("the method is POST unless the profile says otherwise, and the address is below base")
  func defaults() async throws {
    let post = try await customRequest("url = \"auth/x\"").filled(RequestValues())
    #expect(post.method == .post && post.url.string == "https://id.example/v1/auth/x")
    if let body = post.body { throw Unexpected(body) }
    let put = try await customRequest("url = \"https://id.example/else\"\nmethod = \"PUT\"").filled(RequestValues())
    #expect(put.method == .put && put.url.string == "https://id.example/else")
  }

  @Test("a placeholder that one place needs is needed, however many others could do without")
  func placeholders() throws {
    let request = try customRequest("url = \"/x?a={a?}\"\njson = { a = \"{a}\", b = \"{b?}\" }")
    #expect(request.placeholders.map(\.name) == ["a", "b"])
    #expect(request.placeholders.map(\.isOptional) == [false, true])
  }
}
