import Testing

@testable import AuthctlCLI

@Suite("Markup") struct RenderingMarkupTests {
  @Test("knows paragraphs, items, definitions and literal lines")
  func blocks() {
    let markup = Markup(
      """
      one
      line

      - first
        goes on
      - `a`, `b`: explained: so
      - `a` is no term: here

          as  it
            is
      """)
    #expect(
      markup.blocks == [
        .paragraph([.text("one line")]), .item([.text("first goes on")]),
        .definition(term: [.code("a"), .text(", "), .code("b")], [.text("explained: so")]),
        .item([.code("a"), .text(" is no term: here")]), .literal(["as  it", "  is"]),
      ])
  }

  @Test(
    "takes marks only in pairs around words",
    arguments: [
      ("access_token and refresh_token", [.text("access_token and refresh_token")]),
      ("_A_B_", [.text("_A_B_")]), ("_NAME_.", [.placeholder("NAME"), .text(".")]),
      ("a ` b", [.text("a ` b")]), ("`a_b_c`d", [.code("a_b_c"), .text("d")]), ("``", [.text("``")]), ("", []),
      ("(_A_, `b`)", [.text("("), .placeholder("A"), .text(", "), .code("b"), .text(")")]),
    ] as [(String, [Markup.Span])])
  func spans(line: String, expected: [Markup.Span]) {
    #expect(Markup.Span.spans(of: line) == expected)
  }
}
