/// In what way a store of secrets fails.
public enum StorageFault: String, Sendable, CaseIterable, Codable {
  /// There is no D-Bus session bus to be found, or it can't be reached.
  case noBus = "no_bus"
  /// No service on the bus offers the Secret Service.
  case noService = "no_service"
  /// The Secret Service has no default collection.
  case noCollection = "no_collection"
  /// The collection is locked, and the user was not asked to unlock it.
  case locked
  /// The person dismissed the prompt that would have unlocked it.
  case promptDismissed = "prompt_dismissed"
  /// The service did not respond in time.
  case timedOut = "timed_out"
  /// The service responded with an error.
  case refused
  /// The item is there, but its content is not what was written.
  case damaged
}
