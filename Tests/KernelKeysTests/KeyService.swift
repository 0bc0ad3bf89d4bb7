import AuthCore
import Foundation
import KernelKeys

/// What the machine lets its processes do.
enum KeyService {
  /// Whether a key can be added at all: not in every container.
  static let isThere: Bool = {
    let keys = KernelKeys(scope: "/tests/\(UUID())")
    guard (try? keys.hold(Secret("x"), for: "p")) != nil else { return false }
    return (try? keys.drop(for: "p")) != nil
  }()
}
