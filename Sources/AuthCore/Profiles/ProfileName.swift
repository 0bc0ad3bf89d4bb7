/// The name of a profile: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`, safe in a file name and in a shell.
package struct ProfileName: Sendable, Hashable, Comparable {
  /// The name itself.
  package let string: String

  /// Creates a name; nil if it is invalid.
  package init?(_ string: String) {
    guard (1...64).contains(string.utf8.count), let first = string.utf8.first, first.isAlphanumeric,
      string.utf8.allSatisfy({ $0.isAlphanumeric || ".-_".utf8.contains($0) })
    else { return nil }
    self.string = string
  }

  private init(valid string: String) { self.string = string }

  /// The name of a profile that exists only to show the defaults.
  static let unnamed = ProfileName(valid: "unnamed")

  /// Compares the code units of the names.
  package static func < (one: ProfileName, other: ProfileName) -> Bool { one.string < other.string }
}

extension ProfileName: CustomStringConvertible {
  /// The name itself.
  package var description: String { string }
}
