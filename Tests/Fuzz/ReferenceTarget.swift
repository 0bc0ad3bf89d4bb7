@testable import AuthCore

/// A reference, such as a `Location`, resolved against a base: the first line is the base's path and query.
enum ReferenceTarget: FuzzTarget {
  static let name = "reference"

  static func check(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard lines.count == 2, let base = try? WebURL("https://api.example:8443/" + lines[0]) else { return }
    let reference = lines[1]
    do {
      let url = try base.resolving(reference)
      URLTarget.checkForm(url)
      if !reference.contains(":"), !reference.utf8.starts(with: "//".utf8) {
        require(url.origin == base.origin, "a reference without a host stays: \(reference.debugDescription)")
      }
      let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
      if !reference.isEmpty, !reference.utf8.starts(with: "#".utf8) {
        require(!segments.contains(".") && !segments.contains(".."), "no dots are left: \(url.path)")
      }
      URLTarget.checkSameOrigin(url, CurlURL(reference, base: base.string), reference)
    } catch {
      requireShowable(error.description)
    }
  }
}
