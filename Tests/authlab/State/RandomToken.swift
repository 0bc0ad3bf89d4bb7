/// Values that nobody can guess.
enum RandomToken {
  /// 256 bits of the system's generator in 43 characters of base64url.
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<4).map { _ in generator.next() }
    return Base64URL.encode(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
  }
}
