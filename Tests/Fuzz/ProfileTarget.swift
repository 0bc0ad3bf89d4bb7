@testable import AuthCore

/// The file of a profile.
enum ProfileTarget: FuzzTarget {
  static let name = "profile"

  static func check(_ bytes: [UInt8]) {
    guard let profile = ProfileName("fuzz") else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      requireSafe(try Profile(toml: text, file: "fuzz.toml", name: profile))
    } catch {
      let explanation = error.explanation
      for part in [explanation.what, explanation.why, explanation.hint] {
        requireShowable(part)
        require(!part.isEmpty, "every part of an explanation: \(explanation)")
      }
      require(
        explanation.why.hasPrefix("fuzz.toml"), "an error names the file: \(explanation.why.debugDescription)")
    }
  }

  /// Requires that no token would leave in the clear.
  private static func requireSafe(_ profile: Profile) {
    for origin in profile.origins {
      require(origin.isSecure, "every api is safe: \(origin)")
      require((try? WebURL(origin.string))?.origin == origin, "every api is a URL: \(origin)")
    }
  }
}
