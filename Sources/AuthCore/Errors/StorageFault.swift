/// The way in which a secret store fails.
public enum StorageFault: String, Sendable, CaseIterable, Codable {
  /// No D-Bus session bus was found, or it can't be reached.
  case noBus = "no_bus"
  /// No service on the bus offers the Secret Service.
  case noService = "no_service"
  /// The Secret Service has no default collection.
  case noCollection = "no_collection"
  /// The collection is locked, and the user was not prompted to unlock it.
  case locked
  /// The user dismissed the prompt that would have unlocked it.
  case promptDismissed = "prompt_dismissed"
  /// The service did not respond in time.
  case timedOut = "timed_out"
  /// The service or the file system responded with an error, or a sealed file or its key can't be used.
  case refused
  /// The item exists, but its content is not in the expected format.
  case damaged
}
