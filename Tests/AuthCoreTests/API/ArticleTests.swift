import Foundation
import Testing

@Suite("The articles of the documentation")
struct ArticleTests {
  /// One code block, as lines without what they are indented by.
  struct Block: Sendable, CustomTestStringConvertible {
    let file: String
    let lines: [String]

    var testDescription: String { "\(file): \(lines.first ?? "")" }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardized

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
  }

  private static func files(_ folder: String, _ ending: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted().map { folder + "/" + $0 }
  }

  private static func lines(_ text: String) -> [String] {
    text.components(separatedBy: "\n").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  /// The Swift blocks of all articles, and of the README's section about the library.
  static let blocks: [Block] = (files("Sources/AuthCore/AuthCore.docc", ".md") + ["README.md"]).flatMap { file in
    text(file).components(separatedBy: "```swift\n").dropFirst().map { rest in
      // Each program of an article has an entry point; the example has one for all of them.
      Block(file: file, lines: lines(rest.components(separatedBy: "```")[0]).filter { $0 != "@main" })
    }
  }

  static let sources = ["Tests/ExampleProgram", "Tests/ExampleProgram/Programs"].flatMap { files($0, ".swift") }
    .map { lines(text($0)) }

  /// Whether a block is for a program's own `Package.swift`.
  private static func isOfPackage(_ block: Block) -> Bool { block.lines.allSatisfy { $0.hasPrefix(".p") } }

  @Test("every code block is code that the example compiles and runs", arguments: blocks.filter { !isOfPackage($0) })
  func compiled(block: Block) {
    let isFound = ArticleTests.sources.contains { source in
      source.indices.contains { source[$0...].starts(with: block.lines) }
    }
    #expect(isFound, "not in Tests/ExampleProgram: \(block.lines.joined(separator: "\n"))")
  }

  @Test("the articles use only the products of the package")
  func products() {
    let package = ArticleTests.text("Package.swift")
    let named = ArticleTests.blocks.filter(ArticleTests.isOfPackage).flatMap(\.lines)
      .filter { $0.contains("package: \"authctl\"") }.compactMap { $0.split(separator: "\"").dropFirst().first }
    #expect(named.contains("AuthCore") && named.contains("AuthCurl"))
    for name in named {
      #expect(package.contains(".library(name: \"\(name)\","), "\(name)")
    }
  }

  @Test(
    "each article begins with what Package.swift needs and a whole program",
    arguments: [
      "GettingStarted", "YourCodeToday", "YourOwnStorage", "YourOwnServer", "CodesAtStatus200", "UploadingPictures",
      "HandlingErrors", "BeforeAndAfter", "LoggingRequests",
    ])
  func program(article: String) {
    let blocks = ArticleTests.blocks.filter { $0.file.hasSuffix("/\(article).md") }
    #expect(blocks.prefix(2).allSatisfy(ArticleTests.isOfPackage) && blocks.count > 3)
    let program = blocks.dropFirst(2).first?.lines ?? []
    #expect(program.first == "import AuthCore" && program.contains("static func main() async throws {"))
    #expect(ArticleTests.sources.contains(program), "it is not a whole file")
  }

  @Test("each article that must have code blocks has some")
  func present() {
    let files = Set(ArticleTests.blocks.map { URL(filePath: $0.file).lastPathComponent })
    #expect(
      files.isSuperset(of: [
        "GettingStarted.md", "YourCodeToday.md", "YourOwnStorage.md", "YourOwnServer.md", "CodesAtStatus200.md",
        "UploadingPictures.md", "HandlingErrors.md", "BeforeAndAfter.md", "LoggingRequests.md", "README.md",
      ]))
    #expect(ArticleTests.blocks.allSatisfy { !$0.lines.isEmpty })
  }
}
