extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `‹redacted›`.
  public var description: String { SecretText.mark }

  /// Always `‹redacted›`.
  public var debugDescription: String { description }

  /// Has no children: `dump` and mirrors see nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
