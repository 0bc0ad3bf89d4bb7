import AuthCore

/// The value of a variable of `-w`, in the two forms in which curl prints it.
enum WriteOutValue: Sendable, Equatable {
  /// A text; nil if there is no value.
  case text(String?)
  /// A number.
  case number(Int64)
  /// A status, of three digits.
  case code(Int)
  /// A time, in seconds with six decimal places.
  case time(Duration)

  /// The value in plain text.
  var plain: String {
    switch self {
    case .text(let text): text ?? ""
    case .number(let number): String(number)
    case .code(let code): String(repeating: "0", count: max(0, 3 - String(code).count)) + String(code)
    case .time(let time): WriteOutValue.seconds(time)
    }
  }

  /// The value in JSON.
  var json: String {
    switch self {
    case .text(let text): text.map { WriteOutValue.quoted($0) } ?? "null"
    case .number(let number): String(number)
    case .code(let code): String(code)
    case .time(let time): WriteOutValue.seconds(time)
    }
  }

  private static func seconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let digits = String(attoseconds / 1_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// Returns a JSON string (RFC 8259, section 7).
  static func quoted(_ text: String) -> String {
    let short: [Unicode.Scalar: String] = [
      "\"": "\\\"", "\\": "\\\\", "\u{8}": "\\b", "\u{C}": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    ]
    let inner = text.unicodeScalars.reduce(into: "") { result, scalar in
      if let escape = short[scalar] {
        result += escape
      } else if scalar.drivesTerminal {
        result += "\\u" + scalar.value.hexadecimal(4)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return "\"\(inner)\""
  }
}
