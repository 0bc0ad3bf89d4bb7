/// The bytes of `/api/bytes/N`: byte number i is i modulo 251, a prime, so that a lost or doubled block shows.
enum BytePattern {
  /// One whole number of periods, about 256 KiB.
  static let block: [UInt8] = Array(repeatElement(UInt8(0)..<251, count: 1044).joined())
}
