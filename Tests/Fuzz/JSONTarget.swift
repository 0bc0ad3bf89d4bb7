@testable import AuthCore
@testable import AuthctlCLI

/// A JSON text.
enum JSONTarget: FuzzTarget {
  static let name = "json"

  static func check(_ bytes: [UInt8]) {
    let isShown = JSONLayout(colour: false).text(of: bytes[...]) != nil
    guard let document = try? JSONValue(parsing: bytes) else { return }
    require(isShown || bytes.starts(with: [0xEF, 0xBB, 0xBF]), "what is parsed is laid out for a reader")
    require(depth(document) <= JSONValue.depthLimit, "no value is nested too deep")
    guard let text = try? document.text() else { return require(false, "what is parsed can be written") }
    require(!text.unicodeScalars.contains { $0.drivesTerminal }, "it drives no terminal: \(text.debugDescription)")
    let again = try? JSONValue(parsing: text.utf8)
    require(again.map { isSame($0, document) } == true, "what is written is read again: \(text)")
  }

  /// Whether two documents say the same: a number may have lost a fraction beyond its precision, and be integer now.
  private static func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
    switch (one, other) {
    case (.array(let ones), .array(let others)):
      ones.count == others.count && zip(ones, others).allSatisfy { isSame($0, $1) }
    case (.object(let ones), .object(let others)):
      ones.count == others.count && ones.allSatisfy { name, value in others[name].map { isSame(value, $0) } == true }
    case (.integer, .number), (.number, .integer): one.lenientNumber == other.lenientNumber
    default: one == other
    }
  }

  private static func depth(_ value: JSONValue) -> Int {
    switch value {
    case .array(let values): 1 + (values.map(depth).max() ?? 0)
    case .object(let members): 1 + (members.values.map(depth).max() ?? 0)
    default: 0
    }
  }
}
