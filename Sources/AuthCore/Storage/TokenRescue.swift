/// Keeps what was renewed and could not be stored: where no other user and no disk sees it, until it can be stored.
///
/// One secret a profile. What is kept here outlives the process, but not the machine's next start.
public protocol TokenRescue: Sendable {
  /// Where it keeps them, for messages: "the kernel's memory".
  var place: String { get }

  /// Keeps a secret of a profile, over the one that was kept before.
  ///
  /// - Throws: ``RescueFailure``; nothing is kept then.
  func hold(_ secret: Secret, for profile: String) throws(RescueFailure)

  /// The secret that is kept of a profile; nil where there is none, and where nothing can be kept at all.
  ///
  /// - Throws: ``RescueFailure/failed(_:)`` where nobody can tell.
  func held(for profile: String) throws(RescueFailure) -> Secret?

  /// Forgets what is kept of a profile; no error where there is nothing.
  ///
  /// - Throws: ``RescueFailure/failed(_:)``.
  func drop(for profile: String) throws(RescueFailure)
}
