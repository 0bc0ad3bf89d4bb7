/// Settings of a new profile that nobody has typed: an API says them of itself.
struct DiscoveredSettings: Sendable, Equatable {
  /// The values, by their keys in a profile's file.
  let values: [String: [String]]
  /// What a reader of the file should know, a line each.
  let remarks: [String]
}
