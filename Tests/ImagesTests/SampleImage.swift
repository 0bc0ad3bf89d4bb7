/// Images made by the tests themselves.
enum SampleImage {
  /// A PNG (ISO/IEC 15948) with 8 bits a channel, its pixels not compressed.
  ///
  /// - Parameter pixel: red, green, blue and, where `hasAlpha`, opacity at a place.
  static func png(width: Int, height: Int, hasAlpha: Bool = false, pixel: (Int, Int) -> [UInt8]) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width { rows += pixel(x, y) }
    }
    return head(width, height, colours: hasAlpha ? 6 : 2) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  /// A PNG whose header claims a size, with hardly any pixels in it.
  static func claiming(width: Int, height: Int) -> [UInt8] {
    head(width, height, colours: 2) + chunk("IDAT", stored([0, 0, 0, 0])) + chunk("IEND", [])
  }

  /// Noise, which no encoder makes small.
  static func noise(width: Int, height: Int) -> [UInt8] {
    var state: UInt32 = 1
    return png(width: width, height: height) { _, _ in
      (0..<3).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: state >> 24)
      }
    }
  }

  /// The width and height that a JPEG states in its frame header (ITU T.81, B.2.2).
  static func size(ofJPEG bytes: [UInt8]) -> [Int]? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var at = 2
    while at + 9 < bytes.count, bytes[at] == 0xFF {
      let number = { (place: Int) in Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
      if (0xC0...0xC2).contains(bytes[at + 1]) { return [number(at + 7), number(at + 5)] }
      at += 2 + number(at + 2)
    }
    return nil
  }

  /// The JPEG with an EXIF block that says: turn it by 90 degrees to look at it.
  static func turned(_ jpeg: [UInt8]) -> [UInt8] {
    let tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    let content = Array("Exif".utf8) + [0, 0] + tiff
    return jpeg.prefix(2) + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + jpeg.dropFirst(2)
  }

  private static func head(_ width: Int, _ height: Int, colours: UInt8) -> [UInt8] {
    let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, colours, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + content
    return bigEndian(UInt32(content.count)) + named + bigEndian(cyclicRedundancyCheck(named))
  }

  /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, section 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65535)
      rest = rest.dropFirst(65535)
      let count = UInt16(block.count)
      stream.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      stream += block
    } while !rest.isEmpty
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return stream + bigEndian(high << 16 | low)
  }

  private static func cyclicRedundancyCheck(_ bytes: [UInt8]) -> UInt32 {
    var check = UInt32.max
    for byte in bytes {
      check ^= UInt32(byte)
      for _ in 0..<8 { check = check & 1 == 1 ? 0xEDB8_8320 ^ (check >> 1) : check >> 1 }
    }
    return ~check
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
