import FoundationEssentials
import HTTPTypes

@testable import AuthCore
@testable import AuthctlCLI

/// A line of the input of `call --batch`: the input, and a line whose members have the input as their values, because
/// few inputs are an object with the right names.
enum BatchLineTarget: FuzzTarget {
  static let name = "batch-line"

  static func check(_ bytes: [UInt8]) {
    let isRequest = checkLine(bytes)
    Reach.count(checkLine(line(of: bytes)) || isRequest)
  }

  /// Returns an object. The first byte decides which members it has; the others, as far as they take little time, are
  /// their values.
  private static func line(of bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes.dropFirst().prefix(4096), as: UTF8.self)
    let has = { (bit: UInt8) in (bytes.first ?? 0) & 1 << bit != 0 }
    var members: [String: JSONValue] = ["url": .string(text)]
    if has(0) { members["method"] = .string("M" + text.filter { $0.isASCII && $0.isLetter }) }
    if has(1) {
      let value = JSONValue.string("v\(String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))v")
      members["headers"] = .object(["X-A": value, "X-B": .array([value, value]), has(2) ? text : "X-C": .null])
    }
    if has(3) {
      members["body"] = has(4) ? .string(text) : (try? JSONValue(parsing: text.utf8)) ?? .array([.string(text)])
    } else if has(4) {
      members["body_base64"] = .string(Data(bytes).base64EncodedString() + (has(5) ? text : ""))
    }
    return Array(((try? JSONValue.object(members).text()) ?? "").utf8)
  }

  /// Returns whether the line is a request.
  private static func checkLine(_ bytes: [UInt8]) -> Bool {
    do {
      guard let line = try BatchLine(bytes) else { return false }
      for value in line.fields.flatMap(\.values) {
        require(!value.utf8.contains { [0, 10, 13].contains($0) }, "no value begins another line: \(line.fields)")
      }
      require(line.body != nil || !line.isJSON, "a body that is JSON is there")
      if line.isJSON, let body = line.body {
        require((try? JSONValue(parsing: body)) != nil, "a JSON body is JSON: \(String(decoding: body, as: UTF8.self))")
      }
      requireSame(line)
      return true
    } catch {
      requireShowable(error.why)
      require(error.why.hasPrefix("it"), "a message goes on a sentence: \(error.why)")
      // 80 characters of it at the most, each of which may be ten where it is escaped.
      require(error.why.unicodeScalars.count < 1000, "a message does not hold the line: \(error.why)")
      return false
    }
  }

  /// Requires that the request, written as an object, is the same request.
  private static func requireSame(_ line: BatchLine) {
    var members: [String: JSONValue] = ["url": .string(line.address)]
    members["method"] = line.method.map { .string($0.rawValue) }
    let names = Set(line.fields.map(\.name))
    // Fields of one name, spelled differently, can't both be members of what is written here.
    guard names.count == line.fields.count else { return }
    members["headers"] = .object(
      Dictionary(uniqueKeysWithValues: line.fields.map { ($0.name.rawName, .array($0.values.map(JSONValue.string))) }))
    if let body = line.body, !line.isJSON, let text = String(validating: body, as: UTF8.self) {
      members["body"] = .string(text)
    }
    guard let text = try? JSONValue.object(members).text() else { return require(false, "it can be written") }
    do {
      let again = try BatchLine(Array(text.utf8))
      require(again?.address == line.address && again?.method == line.method, "address and method: \(text)")
      let fields = { (line: BatchLine?) in (line?.fields ?? []).sorted { $0.name.rawName < $1.name.rawName } }
      require(fields(again) == fields(line), "the fields: \(text)")
      if members["body"] != nil { require(again?.body == line.body, "the body: \(text)") }
    } catch {
      require(false, "what is written is read again: \(text): \(error.why)")
    }
  }
}
