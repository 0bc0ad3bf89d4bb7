import HTTPTypes

@testable import AuthCore
@testable import AuthctlCLI

/// How long the readers of what comes from outside take: a table of milliseconds for 32 KB and for 64 KB of each
/// hostile shape, and their ratio, which is 2 where time is linear.
enum ReaderTimes {
  private static let readers: [(name: String, read: @Sendable ([UInt8]) -> Void)] = [
    ("token response", { _ = try? TokenResponse(JSONValue(parsing: $0)) }),
    ("metadata", { _ = try? ServerMetadata(JSONValue(parsing: $0), issuer: "https://id.example") }),
    ("key set", { _ = try? KeySet(JSONValue(parsing: $0)) }),
    ("API response", { _ = ServerFailure(TransferResponse(status: 400, body: $0)) }),
    ("shown JSON", { _ = JSONLayout(colour: false).text(of: $0[...]) }),
    ("batch line", { _ = try? BatchLine(Array(#"{"url":"/","body":"#.utf8) + $0 + Array("}".utf8)) }),
    ("batch headers", { _ = try? BatchLine(Array(#"{"url":"/","headers":"#.utf8) + $0 + Array("}".utf8)) }),
    ("secrets", { _ = SecretText.redacted(String(decoding: $0, as: UTF8.self)) }),
    ("profile", { profile(Array("api = ".utf8) + $0) }),
    (
      "profile template",
      {
        profile(
          Array("type = 'custom'\nbase = 'https://a.example'\n[requests.login]\nurl = '/a'\njson = ".utf8)
            + $0.map { $0 == UInt8(ascii: ":") ? UInt8(ascii: "=") : $0 })
      }
    ),
  ]

  private static let shapes: [(name: String, text: @Sendable (Int) -> String)] = [
    ("[", { repeated("[", $0) }),
    ("[ ]", { repeated("[", $0 / 2) + repeated("]", $0 / 2) }),
    ("{", { repeated("{\"a\":", $0 / 5) }),
    ("[1 ", { repeated("[1", $0 / 2) }),
    ("64 deep", { "[" + repeated(repeated("[", 60) + "1" + repeated("]", 60) + ",", $0 / 122) + "1]" }),
    ("members", { size in "{" + (0..<size / 10).map { "\"k\($0)\":1" }.joined(separator: ",") + "}" }),
    ("escapes", { "\"" + repeated("\\u00e9", $0 / 6) + "\"" }),
    ("marks", { "{\"e" + repeated("\u{315}\u{300}", $0 / 4) + "\":1}" }),
    ("digits", { repeated("1", $0) }),
    ("quotes", { repeated("\"", $0) }),
    ("names", { repeated("\"token\":", $0 / 8) }),
    ("lines", { repeated("token:a://", $0 / 10) }),
    ("tags", { repeated("<token>a", $0 / 8) }),
    ("URLs", { repeated("://a:b", $0 / 6) }),
    ("keys", { repeated("-----BEGIN PRIVATE KEY-----\"", $0 / 28) }),
  ]

  /// Prints the table.
  static func print() {
    Swift.print(pad("reader", 18), pad("shape", 9), pad("32 KB", 9), pad("64 KB", 9), "ratio")
    for (reader, read) in readers {
      for (shape, text) in shapes {
        let times = [32_000, 64_000].map { size in
          let bytes = Array(text(size).utf8)
          return (0..<3).map { _ in CPUTime.of { read(bytes) } }.min() ?? .zero
        }
        let shown = times.map { pad(milliseconds($0), 9) }
        Swift.print(pad(reader, 18), pad(shape, 9), shown[0], shown[1], ratio(times[1] / times[0]))
      }
    }
  }

  private static func profile(_ bytes: [UInt8]) {
    guard let name = ProfileName("times") else { return }
    _ = try? Profile(toml: String(decoding: bytes, as: UTF8.self), file: "times.toml", name: name)
  }

  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + repeated(" ", max(0, width - text.count))
  }

  private static func milliseconds(_ time: Duration) -> String { ratio(time / .milliseconds(1)) }

  private static func ratio(_ value: Double) -> String { String((value * 100).rounded() / 100) }
}
