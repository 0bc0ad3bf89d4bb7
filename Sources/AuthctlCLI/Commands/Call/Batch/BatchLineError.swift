/// Why a line of a batch is no request; the words begin with "it" or "its", and hold no more of the line than a name.
struct BatchLineError: Error, Equatable {
  /// The reason.
  let why: String

  init(_ why: String) {
    self.why = why
  }
}
