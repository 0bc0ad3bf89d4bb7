/// Keeps refreshed tokens that could not be stored, inaccessible to other users and never written to disk.
///
/// There is one secret per profile. It is kept after the process ends, but not after a restart of the machine.
package protocol TokenRescue: Sendable {
  /// The place where it keeps them, for messages: "the kernel's memory".
  var place: String { get }

  /// Keeps a secret of a profile, replacing the one that was kept before.
  ///
  /// - Throws: ``RescueFailure``; the secret is then not kept.
  func hold(_ secret: Secret, for profile: String) throws(RescueFailure)

  /// Returns the secret that is kept for a profile; nil if there is none or if nothing can be kept.
  ///
  /// - Throws: ``RescueFailure/failed(_:)`` if this cannot be determined.
  func held(for profile: String) throws(RescueFailure) -> Secret?

  /// Discards the secret of a profile; it is not an error if there is none.
  ///
  /// - Throws: ``RescueFailure/failed(_:)``.
  func drop(for profile: String) throws(RescueFailure)
}

/// Keeps nothing: for programs whose token store does not fail.
package struct NoRescue: TokenRescue {
  package var place: String { "no place" }

  /// Creates a rescue that keeps nothing.
  package init() {}

  package func hold(_ secret: Secret, for profile: String) throws(RescueFailure) {
    throw .notAllowed("nothing is kept outside the store")
  }

  package func held(for profile: String) throws(RescueFailure) -> Secret? { nil }

  package func drop(for profile: String) throws(RescueFailure) {}
}

/// The reason why a ``TokenRescue`` does not keep a secret.
package enum RescueFailure: Error, Sendable, Equatable {
  /// Secrets can't be kept here at any time; the reason as a phrase.
  case notAllowed(String)
  /// There is not enough space; the reason as a phrase.
  case noRoom(String)
  /// Any other failure; the reason as a phrase.
  case failed(String)

  /// The reason as a phrase.
  package var why: String {
    switch self {
    case .notAllowed(let why), .noRoom(let why), .failed(let why): why
    }
  }
}
