/// An option as it was typed once.
struct Occurrence: Sendable, Hashable {
  /// The option.
  let option: Option
  /// Its value; nil for a switch.
  let value: String?
}
