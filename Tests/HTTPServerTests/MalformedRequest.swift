import Foundation

/// A request that the server refuses, from the table that the comparison with nginx uses, too.
struct MalformedRequest: Sendable, CustomStringConvertible {
  let description: String
  let status: String
  let bytes: [UInt8]

  /// The table.
  static func all() throws -> [MalformedRequest] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "malformed.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      let columns = $0.split(separator: "\t").map(String.init)
      return MalformedRequest(description: columns[0], status: columns[1], bytes: unescaped(columns[2]))
    }
  }

  /// Replaces `\r`, `\n`, `\t`, `\0`, `\xHH`, and `{text*N}`.
  private static func unescaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "{", let end = rest.firstIndex(of: "}") {
        let parts = rest[..<end].split(separator: "*")
        bytes += Array(repeating: unescaped(String(parts[0])), count: Int(parts[1]) ?? 0).joined()
        rest = rest[end...].dropFirst()
      } else if character == "\\", let name = rest.popFirst() {
        switch name {
        case "r": bytes.append(13)
        case "n": bytes.append(10)
        case "t": bytes.append(9)
        case "0": bytes.append(0)
        default:
          bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
          rest = rest.dropFirst(2)
        }
      } else {
        bytes += Array(character.utf8)
      }
    }
    return bytes
  }
}
