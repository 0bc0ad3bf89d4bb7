import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("OutputPlace") struct OutputPlaceTests {
  func invocation(_ words: String...) throws -> Invocation {
    guard case .run(let invocation) = try Parser(program: .authctl).parse(["call"] + words) else {
      throw UsageError(message: "no command", hint: "")
    }
    return invocation
  }

  func places(_ invocation: Invocation) throws -> [OutputPlace] {
    try invocation.operands.enumerated().map { index, url in
      try OutputPlace(invocation, index: index, url: WebURL(url))
    }
  }

  @Test("-o and -O belong to the addresses in the order of the line, wherever they stand")
  func order() throws {
    let line = try invocation("https://h/a", "-O", "https://h/b", "-o", "x", "-o", "-", "https://h/c", "https://h/d")
    #expect(try places(line) == [.file("a"), .file("x"), .standardOutputAsItIs, .standardOutput])
    #expect(!OutputPlace.areTooMany(line))
  }

  @Test("more places than addresses are noticed")
  func tooMany() throws {
    #expect(OutputPlace.areTooMany(try invocation("-o", "a", "-O", "https://h/b")))
  }

  @Test("a file needs a name")
  func empty() throws {
    let line = try invocation("-o", "", "https://h/a")
    #expect(throws: AuthError.self) { try places(line) }
  }

  @Test(
    "-O takes what follows the last slash, and nothing of it leads elsewhere",
    arguments: [
      ("https://h/a/b.txt?x=/y#/z", "b.txt"), ("https://h/a/b%20c", "b%20c"),
      ("https://h/..%2F..%2Fetc", "..%2F..%2Fetc"),
      ("https://h/%2e%2e", "%2e%2e"), ("https://h/a%5Cb", "a%5Cb"), ("https://h/é.txt", "é.txt"),
      ("https://h/%C3%A9.txt", "%C3%A9.txt"), ("https://h/-rf", "-rf"), ("https://h/a;b", "a;b"),
    ])
  func names(url: String, name: String) throws {
    #expect(try RemoteName.name(of: WebURL(url), typed: url) == name)
  }

  @Test(
    "-O refuses a URL without a name",
    arguments: ["https://h", "https://h/", "https://h/a/", "https://h/a/..", "https://h/."]
  )
  func nameless(url: String) throws {
    let url = try WebURL(url)
    #expect {
      try RemoteName.name(of: url, typed: url.string)
    } throws: { error in
      if case .failed(let it) = error as? AuthError { it.hint.contains("-o FILE") } else { false }
    }
  }
}
