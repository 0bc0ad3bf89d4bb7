import Foundation

/// A JSON text (RFC 8259) whose members keep their order.
enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without a fraction.
  case integer(Int)
  /// A number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object([(name: String, value: JSONValue)])

  /// The text, without white space.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// The object with one more member; anything else stays as it is.
  func adding(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members + [(name: name, value: value)])
  }

  /// The text of an object whose members those of another object's text replace; null takes one away.
  func text(changedBy changes: String) -> String {
    let read = { (text: String) in
      // A text that is not an object changes nothing.
      (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }
    let changes = read(changes)
    guard !changes.isEmpty else { return text }
    let members = read(text).merging(changes) { $1 }.filter { !($0.value is NSNull) }
    // What was read as JSON can be written.
    let data = try? JSONSerialization.data(withJSONObject: members, options: [.withoutEscapingSlashes, .sortedKeys])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .number(let value): text += "\(value)"
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    if value.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      text += value
    } else {
      for scalar in value.unicodeScalars { text += escape(scalar) }
    }
    text += "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case "\u{0}"..<"\u{20}":
      let hex = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    default: return String(scalar)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a string.
  init(stringLiteral value: String) { self = .string(value) }

  /// Makes `true` or `false`.
  init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Makes a number without a fraction.
  init(integerLiteral value: Int) { self = .integer(value) }

  /// Makes an array.
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Makes an object with the members in their order.
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { (name: $0.0, value: $0.1) })
  }
}
