import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("OutputPlace") struct OutputPlaceTests {
  @Test("-o and -O belong to the addresses in the order of the line, wherever they stand")
  func order() throws {
    let line = try Invocation.call(
      "https://h/a", "-O", "https://h/b", "-o", "x", "-o", "-", "https://h/c", "https://h/d")
    let addresses = try CallAddress.all(line)
    #expect(addresses.map(\.output) == [.remoteName, .file("x"), .standardOutputAsItIs, .standardOutput])
    let paths = try addresses.map { try $0.output.path(for: WebURL($0.text), typed: $0.text) }
    #expect(paths == ["a", "x", nil, nil])
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
