package import AuthCore
import Glibc
import SystemPackage

/// Keeps cached tokens in the kernel's memory (its key retention service, keyrings(7)), for a time that the kernel
/// measures and that nothing prolongs.
package struct KernelCache: VolatileMemory {
  package let place = "the kernel's memory"

  private let kinds: [KeyRing.Kind] = [.persistent, .user]

  /// Creates the memory; opens nothing yet.
  package init() {}

  package func keep(_ secret: Secret, as name: String, for seconds: Int) throws(RescueFailure) {
    // The kernel takes zero for no limit.
    guard seconds > 0 else { return try discard(name) }
    let payload = Array(secret.exposed.utf8)
    do throws(Errno) {
      let ring = try KeyRing(first: kinds)
      do throws(Errno) {
        try ring.add(payload, description(name), expiringAfter: .seconds(seconds))
      } catch {
        // There may be no space for both, the key and the one that it replaces.
        guard error == .diskQuotaExceeded, let former = try ring.find(.user, description(name)) else { throw error }
        // The kernel counts a removed key for a while, but a shorter payload at once.
        _ = try ring.add([0], as: .user, description(name))
        try ring.unlink(former)
        try ring.add(payload, description(name), expiringAfter: .seconds(seconds))
      }
    } catch {
      throw KernelKeys.failure(error, bytes: payload.count)
    }
  }

  package func kept(as name: String) throws(RescueFailure) -> Secret? {
    do throws(Errno) {
      let ring = try KeyRing(first: kinds)
      guard let key = try ring.find(.user, description(name)) else { return nil }
      return Secret(String(decoding: try ring.read(key), as: UTF8.self))
    } catch {
      // It has ended since it was found.
      if [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(error.rawValue) { return nil }
      throw KernelKeys.failure(error, bytes: 0)
    }
  }

  package func discard(_ name: String) throws(RescueFailure) {
    do throws(Errno) {
      let ring = try KeyRing(first: kinds)
      if let key = try ring.find(.user, description(name)) { try ring.remove(key) }
    } catch {
      throw KernelKeys.failure(error, bytes: 0)
    }
  }

  /// Returns the name of a key, which other users can read.
  private func description(_ name: String) -> String { "authctl-cache:\(name)" }
}
