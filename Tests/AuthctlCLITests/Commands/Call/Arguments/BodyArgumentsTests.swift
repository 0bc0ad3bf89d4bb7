import AuthCore
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("BodyArguments") struct BodyArgumentsTests {
  private func body(_ words: [String]) throws -> BodyArguments {
    try BodyArguments(Invocation(typed: ["call", "/"] + words))
  }

  private func pieces(_ words: [String]) throws -> [DataPiece] {
    guard case .data(let pieces) = try body(words) else { return [] }
    return pieces
  }

  private func content(_ pieces: [DataPiece]) throws -> [UInt8] {
    let context = Context(
      environment: [:], console: try FakeConsole(), transport: { fatalError("nothing is sent") },
      secrets: { _ in fatalError("nothing is stored") })
    return try DataPiece.content(pieces, context)
  }

  @Test("data is a body, or with -G a query; a form is a form; a file is not the body of all requests")
  func kinds() throws {
    let piece = DataPiece(Occurrence(option: CallOptions.data, value: "x"))
    #expect(try body([]) == .none)
    #expect(try body(["-d", "x"]) == .data([piece]))
    #expect(try body(["-G", "-d", "x"]) == .query([piece]))
    #expect(try body(["-G", "-I", "-d", "x"]) == .query([piece]))
    #expect(try body(["-G"]) == .none)
    #expect(try body(["-F", "a=b"]) == .form([FormOption("a=b")]))
    #expect(try body(["-T", "f"]) == .none)
  }

  @Test("pieces keep the order of the line, and each says how it is changed")
  func order() throws {
    let words = ["--json", "{}", "-d", "a", "--data-urlencode", "n@f", "--data-raw", "@r", "--data-binary", "@b"]
    let found = try pieces(words)
    #expect(found.map(\.content) == [.text("{}"), .text("a"), .file("f"), .text("@r"), .file("b")])
    #expect(found.map(\.change) == [.none, .withoutLineEnds, .encoded(name: "n"), .none, .none])
    #expect(found.map(\.isJSON) == [true, false, false, false, false])
  }

  @Test(
    "the forms of --data-urlencode: an = comes before an @",
    arguments: [
      ("a b", TextOrFile.text("a b"), ""), ("=a@b", .text("a@b"), ""), ("n=a@b", .text("a@b"), "n"),
      ("@f", .file("f"), ""), ("n@f", .file("f"), "n"), ("n@f=x", .text("x"), "n@f"),
    ])
  func encoded(value: String, content: TextOrFile, name: String) throws {
    let piece = try #require(try pieces(["--data-urlencode", value]).first)
    #expect(piece.content == content && piece.change == .encoded(name: name))
  }

  @Test("the pieces of the data are joined by &, except for JSON")
  func content() throws {
    let words = ["-d", "a=1", "--data-urlencode", "b=c d", "--data-raw", "@e", "--json", "{", "--json", "}"]
    #expect(String(decoding: try content(pieces(words)), as: UTF8.self) == "a=1&b=c+d&@e{}")
  }

  @Test(
    "a file of -d loses its line ends, any other does not", arguments: [("-d", "ab"), ("--data-binary", "a\r\nb\n")])
  func lineEnds(option: String, expected: String) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("a\r\nb\n", to: "f")
    let found = try pieces([option, "@" + path])
    #expect(String(decoding: try content(found), as: UTF8.self) == expected)
  }

  @Test(
    "a request has one method",
    arguments: [
      (["-d", "x", "-F", "a=b"], "--data", "--form"), (["--json", "x", "-T", "f"], "--json", "--upload-file"),
      (["-d", "x", "-I"], "--data", "--head"), (["--form-string", "a=b", "-T", "f"], "--form-string", "--upload-file"),
      (["-F", "a=b", "-G"], "--form", "--get"), (["-T", "f", "-I"], "--upload-file", "--head"),
      (["-T", "f", "-G", "-d", "x"], "--upload-file", "--get"),
    ])
  func methods(words: [String], one: String, other: String) throws {
    let error = try usageError { _ = try body(words) }
    #expect(error.text == "\(one): can't be combined with \(other): each implies a different method")
    #expect(error.hint == "remove one of them")
  }

  @Test("parts within a part begin before they end, and may stay open at the end of the line")
  func nesting() throws {
    #expect(throws: Never.self) { try body(["-F", "a=(", "-F", "b=c", "-F", "=)", "-F", "d=("]) }
    for words in [["-F", "=)"], ["-F", "a=(", "-F", "=)", "-F", "=)"]] {
      #expect(try usageError { _ = try body(words) }.text == "-F =): no part is open")
    }
  }

  @Test(
    "an encoder that would change the content is refused",
    arguments: ["a=b;encoder=base64", "a=@f;encoder=base64", "a=@f,g;encoder=base64", "a=<f;encoder=base64"])
  func encoder(value: String) throws {
    #expect(try usageError { _ = try body(["-F", value]) }.text == "-F ;encoder=base64: use binary or 8bit")
    #expect(throws: Never.self) { try body(["-F", value.replacing("base64", with: "8BIT")]) }
  }
}
