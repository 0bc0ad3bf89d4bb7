/// Whether a signal has come; belongs to the thread of its conversation.
final class SignalWatch {
  /// What came with the signal; nil until then.
  var arguments: BusValue?
}
