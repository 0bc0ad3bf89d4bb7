/// Keeps refreshed tokens that could not be stored, hidden from other users and never written to disk.
///
/// There is one secret per profile. It outlives the process, but not a restart of the machine.
package protocol TokenRescue: Sendable {
  /// Where it keeps them, for messages: "the kernel's memory".
  var place: String { get }

  /// Keeps a secret of a profile, over the one that was kept before.
  ///
  /// - Throws: ``RescueFailure``; nothing is kept then.
  func hold(_ secret: Secret, for profile: String) throws(RescueFailure)

  /// Returns the secret that is kept for a profile; nil if there is none or if nothing can be kept.
  ///
  /// - Throws: ``RescueFailure/failed(_:)`` if this cannot be determined.
  func held(for profile: String) throws(RescueFailure) -> Secret?

  /// Forgets what is kept of a profile; no error where there is nothing.
  ///
  /// - Throws: ``RescueFailure/failed(_:)``.
  func drop(for profile: String) throws(RescueFailure)
}

/// Keeps nothing: for programs whose tokens are stored where storing does not fail.
package struct NoRescue: TokenRescue {
  package var place: String { "no place" }

  /// Makes it.
  package init() {}

  package func hold(_ secret: Secret, for profile: String) throws(RescueFailure) {
    throw .notAllowed("nothing is kept outside the store")
  }

  package func held(for profile: String) throws(RescueFailure) -> Secret? { nil }

  package func drop(for profile: String) throws(RescueFailure) {}
}

/// Why a ``TokenRescue`` does not keep a secret.
package enum RescueFailure: Error, Sendable, Equatable {
  /// Nothing can be kept here, today or later; why, in a phrase.
  case notAllowed(String)
  /// There is no room for so much; why, in a phrase.
  case noRoom(String)
  /// Anything else; why, in a phrase.
  case failed(String)

  /// Why, in a phrase.
  package var why: String {
    switch self {
    case .notAllowed(let why), .noRoom(let why), .failed(let why): why
    }
  }
}
