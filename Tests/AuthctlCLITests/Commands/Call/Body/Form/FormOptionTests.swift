import AuthCore
import Testing

@testable import AuthctlCLI

@Suite struct FormOptionTests {
  private static let png = FormAttributes(mediaType: "image/png")

  private static func text(_ text: String, _ change: (inout FormAttributes) -> Void = { _ in }) -> FormOption.Content {
    var attributes = FormAttributes()
    change(&attributes)
    return .text(text, attributes)
  }

  private static let contents: [(String, FormOption.Content)] = [
    ("a=b", text("b")), ("a=", text("")), ("a=b=c", text("b=c")), ("a= b ", text("b")),
    ("a=b,c", text("b,c")), (#"a="b;c" "#, text("b;c")), (#"a="b\"c\\d\e""#, text(#"b"c\d\e"#)),
    (#"a="b"#, text("\"b")),
    ("a=b;type=text/x", text("b") { $0.mediaType = "text/x" }),
    (
      "a=b;TYPE= text/x ; charset=utf-8 ;filename=f",
      text("b") {
        $0.mediaType = "text/x ; charset=utf-8"; $0.fileName = "f"
      }
    ),
    (#"a=b;filename="f;g""#, text("b") { $0.fileName = "f;g" }),
    (
      #"a=b;headers="X: 1";headers=Y: 2; headers=@file"#,
      text("b") { $0.headers = [.line("X: 1"), .line("Y: 2"), .file("file")] }
    ),
    ("a=b;encoder=8bit", text("b") { $0.encoder = "8bit" }),
    ("a=@f", .files([.init(path: "f", attributes: .init())])),
    ("a=@-", .files([.init(path: "-", attributes: .init())])),
    (
      #"a=@f;type=image/png,"g,h""#,
      .files([.init(path: "f", attributes: png), .init(path: "g,h", attributes: .init())])
    ),
    ("a=<f;type=image/png", .contents(.init(path: "f", attributes: png))),
    ("a=(;type=multipart/alternative", .opening(.init(mediaType: "multipart/alternative"))),
    ("a=)", text(")")),
  ]

  @Test("a field is parsed as curl does", arguments: contents)
  func parsing(text: String, content: FormOption.Content) throws {
    let field = try FormOption(text)
    #expect(field.name == "a")
    #expect(field.content == content)
  }

  @Test("a field need not have a name, and ends a part as a parenthesis alone")
  func namelessField() throws {
    #expect(try FormOption("=b").name == nil)
    #expect(try FormOption("=)").content == .closing)
  }

  @Test("no character has a meaning in a string")
  func plainString() throws {
    let field = try FormOption(literal: #"a=@b;type="x/y"#)
    #expect(field.name == "a")
    #expect(field.content == .text(#"@b;type="x/y"#, FormAttributes()))
    #expect(try FormOption(literal: "a=(").content == .text("(", FormAttributes()))
  }

  @Test(
    "values that curl only warns of are refused, without the content",
    arguments: [
      ("topsecret", "", "it has no ="),
      ("a=@", "a", "it names no file"),
      ("a=@f,", "a", "it names no file"),
      (#"a="topsecret" x"#, "a", "there is text after the closing double quote"),
      ("a=topsecret;x", "a", "after a ; use type=, filename=, headers= or encoder="),
      ("a=topsecret;type=", "a", "type= is not followed by a media type"),
      ("a=topsecret;type=text", "a", "type= is not followed by a media type"),
      ("a=topsecret;type=text/;filename=f", "a", "type= is not followed by a media type"),
      ("a=<f;filename=x", "a", "a text has no filename: use @ for a file"),
      ("a=(;filename=x", "a", "parts within a part have neither filename= nor encoder="),
    ])
  func invalidField(text: String, name: String, why: String) {
    let hint =
      "use -F 'name=text', -F 'name=@file;type=image/png', or put double quotes around what has a ; in it"
    #expect(throws: AuthError.usage(.init("-F \(name)", why: why, hint: hint))) { try FormOption(text) }
  }
}
