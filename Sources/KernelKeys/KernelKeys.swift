package import AuthCore
import SystemPackage

/// Keeps secrets in the kernel's memory (its key retention service, keyrings(7)). They never reach a disk, other users
/// can't read them, they outlive all processes, and a restart of the machine deletes them.
package struct KernelKeys: TokenRescue {
  /// How long a secret is kept after its last write or read: as long as the kernel keeps its keyring.
  package static let lifetime: Duration = .seconds(3 * 24 * 60 * 60)

  package let place = "the kernel's memory"

  private let scope: String
  private let kinds: [KeyRing.Kind]
  private let lifetime: Duration

  /// Creates the store; opens nothing yet.
  ///
  /// - Parameter scope: distinguishes stores of the same user and kernel: the path of the folder that holds the state.
  package init(scope: String) {
    self.init(scope: scope, kinds: [.persistent, .user], lifetime: KernelKeys.lifetime)
  }

  init(scope: String, kinds: [KeyRing.Kind], lifetime: Duration) {
    self.scope = scope
    self.kinds = kinds
    self.lifetime = lifetime
  }

  package func hold(_ secret: Secret, for profile: String) throws(RescueFailure) {
    let payload = Array(secret.exposed.utf8)
    do throws(Errno) {
      let ring = try KeyRing(first: kinds)
      // Removed before the new one is added: a key can't replace one of another type, and the old content is outdated
      // anyway.
      try remove(.big, profile, from: ring)
      do throws(Errno) {
        try add(payload, as: .user, profile, to: ring)
      } catch {
        guard error == .diskQuotaExceeded || error == .invalidArgument else { throw error }
        try remove(.user, profile, from: ring)
        guard try addLarge(payload, profile, to: ring) else { throw error }
      }
    } catch {
      throw KernelKeys.failure(error, bytes: payload.count)
    }
  }

  package func held(for profile: String) throws(RescueFailure) -> Secret? {
    do throws(Errno) {
      let ring = try KeyRing(first: kinds)
      for type in KeyRing.KeyType.allCases {
        guard let key = try ring.find(type, description(profile)) else { continue }
        try ring.prolong(key, by: lifetime)
        return Secret(String(decoding: try ring.read(key), as: UTF8.self))
      }
      return nil
    } catch {
      return try KernelKeys.absent(error)
    }
  }

  package func drop(for profile: String) throws(RescueFailure) {
    do throws(Errno) {
      let ring = try KeyRing(first: kinds)
      for type in KeyRing.KeyType.allCases { try remove(type, profile, from: ring) }
    } catch {
      _ = try KernelKeys.absent(error)
    }
  }

  private func description(_ profile: String) -> String { "authctl:\(scope):\(profile)" }

  private func add(
    _ payload: [UInt8], as type: KeyRing.KeyType, _ profile: String, to ring: KeyRing
  ) throws(Errno) {
    let key = try ring.add(payload, as: type, description(profile))
    try ring.guardKey(key, lifetime: lifetime)
  }

  /// Returns whether the kernel has a type for large secrets, and has stored the key.
  private func addLarge(_ payload: [UInt8], _ profile: String, to ring: KeyRing) throws(Errno) -> Bool {
    do throws(Errno) {
      try add(payload, as: .big, profile, to: ring)
      return true
    } catch {
      guard error == .operationNotSupportedByDevice else { throw error }
      return false
    }
  }

  private func remove(_ type: KeyRing.KeyType, _ profile: String, from ring: KeyRing) throws(Errno) {
    guard let key = try ring.find(type, description(profile)) else { return }
    try ring.remove(key)
  }

  /// Returns nil if the kernel stores no keys for this process, and throws any other error.
  private static func absent(_ error: Errno) throws(RescueFailure) -> Secret? {
    let failure = failure(error, bytes: 0)
    guard case .notAllowed = failure else { throw failure }
    return nil
  }

  /// Returns the reason why the kernel did not keep or find a secret.
  static func failure(_ error: Errno, bytes: Int) -> RescueFailure {
    switch error {
    case .notPermitted, .noFunction, .notSupported:
      .notAllowed("the kernel stores no keys for this process (\(error))")
    case .diskQuotaExceeded, .invalidArgument:
      .noRoom("the kernel has no space for \(bytes) more bytes (/proc/sys/kernel/keys/maxbytes, and 32767 a key)")
    default:
      .failed("the kernel's key service refuses: \(error)")
    }
  }
}

extension KeyRing {
  /// Opens the first of these kinds of keyring that this kernel supports.
  init(first kinds: [Kind]) throws(Errno) {
    for kind in kinds.dropLast() {
      do throws(Errno) {
        self = try KeyRing(kind)
        return
      } catch {
        guard error == .notSupported else { throw error }
      }
    }
    self = try KeyRing(kinds.last ?? .user)
  }
}
