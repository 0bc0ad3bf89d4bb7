import AuthCore

/// The settings of a background refresh, from the process that starts it; an argument of its process.
struct BackgroundOptions: OptionSet, Sendable {
  let rawValue: Int

  /// Header lines are reported, for `-v`.
  static let wire = BackgroundOptions(rawValue: 1)
  /// Recorded steps are reported, for `--trace`.
  static let trace = BackgroundOptions(rawValue: 2)
  /// The recorded steps contain secrets, for `--trace-secrets`.
  static let secrets = BackgroundOptions(rawValue: 4)
  /// The API has refused the stored access token.
  static let accessTokenRefused = BackgroundOptions(rawValue: 8)

  init(rawValue: Int) { self.rawValue = rawValue }

  /// Reads the argument; nil for nothing.
  init(argument: String?) {
    let prefix = BackgroundOptions.prefix
    rawValue = argument.flatMap { $0.dropping(prefix: prefix).flatMap { Int($0) } } ?? 0
  }

  /// The argument; nil for nothing.
  var argument: String? { isEmpty ? nil : BackgroundOptions.prefix + String(rawValue) }

  private static let prefix = "--options="
}
