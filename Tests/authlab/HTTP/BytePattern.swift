import Foundation

/// The bytes of `/api/bytes/N`: byte number i is i modulo 251, a prime, so that a lost or doubled block shows.
enum BytePattern {
  /// One whole number of periods, about 256 KiB.
  static let block: Data = {
    let period = Data((0..<251).map { UInt8($0) })
    return (0..<1044).reduce(into: Data(capacity: 1044 * 251)) { block, _ in block.append(period) }
  }()
}
