import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("TOMLDocument and tomllib")
struct TOMLComparisonTests {
  @Test("the reader and Python's tomllib read the same in generated documents, and refuse the same")
  func generated() throws {
    // AUTHCTL_TOML_DOCUMENTS=100000 tries as many, others than those of each run.
    let given = ProcessInfo.processInfo.environment["AUTHCTL_TOML_DOCUMENTS"]
    let script = URL(filePath: #filePath).appending(path: "../../../TOML/documents.py").standardized
    let writer = try ChildProcess("python3", ["-B", script.path, given ?? "3000", given ?? "1"], environment: [:])
    let lines = try #require(try writer.output.readToEnd()).split(separator: UInt8(ascii: "\n"))
    #expect(writer.wait() == 0)
    var valid = 0
    for line in lines {
      let document = try JSONValue(parsing: line)
      let text = try #require(document["text"]?.string)
      let read = (try? TOMLDocument(text)).map { Self.meaning(.object($0.members)) }
      #expect(read == document["value"], "\(text.debugDescription)")
      valid += read == nil ? 0 : 1
    }
    #expect(lines.count == Int(given ?? "3000"))
    #expect(valid > lines.count / 4 && valid < lines.count * 3 / 4, "\(valid) are valid")
  }

  /// A value as the script writes it.
  private static func meaning(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool, .integer: value
    case .number(let number): .string("f" + (number.isNaN ? "nan" : number.bitPattern.hexadecimal(16)))
    case .string(let text): .string("s" + text)
    case .array(let elements): .array(elements.map(meaning))
    case .object(let members): .object(members.mapValues(meaning))
    }
  }
}
