import HTTPTypes

@testable import AuthCore
@testable import AuthctlCLI

/// A line of `-H`.
enum HeaderLineTarget: FuzzTarget {
  static let name = "header-line"

  static func check(_ bytes: [UInt8]) {
    do {
      guard case .field(let field, let line) = try HeaderLine(bytes) else { return }
      require(!line.contains { [0, 10, 13].contains($0) }, "one line stays one: \(field)")
      require(!field.value.utf8.contains { [0, 10, 13].contains($0) }, "one value stays one: \(field)")
      require(line.starts(with: field.name.rawName.utf8), "the name is as it was written: \(field)")
    } catch {
      for part in [error.explanation.what, error.explanation.why, error.explanation.hint] { requireShowable(part) }
    }
  }
}
