/// Keeps secrets for a limited time, inaccessible to other users and never written to disk.
///
/// A secret is kept after the process ends, but not after a restart of the machine.
package protocol VolatileMemory: Sendable {
  /// The place where it keeps them, for messages: "the kernel's memory".
  var place: String { get }

  /// Keeps a secret for this many seconds, replacing the one with the same name. Nothing prolongs the time.
  ///
  /// - Throws: ``RescueFailure``; the secret is then not kept.
  func keep(_ secret: Secret, as name: String, for seconds: Int) throws(RescueFailure)

  /// Returns the secret with a name; nil if there is none, or if its time is over.
  ///
  /// - Throws: ``RescueFailure``, also if nothing can be kept here.
  func kept(as name: String) throws(RescueFailure) -> Secret?

  /// Discards the secret with a name; it is not an error if there is none.
  ///
  /// - Throws: ``RescueFailure``.
  func discard(_ name: String) throws(RescueFailure)
}

/// Keeps nothing: for a machine without such memory.
package struct NoVolatileMemory: VolatileMemory {
  package var place: String { "no place" }

  /// Creates a memory that keeps nothing.
  package init() {}

  package func keep(_ secret: Secret, as name: String, for seconds: Int) throws(RescueFailure) {
    throw .notAllowed("nothing is kept outside the store")
  }

  package func kept(as name: String) throws(RescueFailure) -> Secret? {
    throw .notAllowed("nothing is kept outside the store")
  }

  package func discard(_ name: String) throws(RescueFailure) {}
}
