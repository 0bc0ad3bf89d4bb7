import AuthCore

extension Invocation {
  /// How long `login` is to wait for the person; nil where the option is not given.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where not a valid duration.
  func loginTimeout() throws(AuthError) -> Duration? {
    guard let text = value(LoginOptions.timeout) else { return nil }
    guard let timeout = DurationText.parse(text), timeout > .zero else {
      throw .usage(
        .init(
          "--timeout \(Printable.text(text, limit: 80))", why: "not a valid duration", hint: "use 90s, 15m or 2h"
        ))
    }
    return timeout
  }
}
