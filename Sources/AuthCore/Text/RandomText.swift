/// Generates 43 random characters of the URL-safe alphabet: 256 unguessable bits.
package typealias RandomText = @Sendable () -> String

/// The system's source of random text.
package enum SystemRandomText {
  /// Generates 32 bytes with the system's generator, in Base64url.
  package static let make: RandomText = {
    var generator = SystemRandomNumberGenerator()
    return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
