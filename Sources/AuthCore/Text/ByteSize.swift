/// Sizes as people write them: `5MB`, `500KB`, `1MiB`, or plain bytes.
package enum ByteSize {
  /// Reads a size of one byte or more, up to 1 GiB; nil if the text is not a size. `KB` and `MB` are powers of 1000,
  /// `KiB` and `MiB` of 1024 (IEC 80000-13).
  package static func parse(_ text: String) -> Int? {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("KB", 1000), ("MB", 1_000_000), ("B", 1)]
    let unit = units.first { text.hasSuffix($0.0) }
    var digits = text.dropLast(unit?.0.count ?? 0)
    while digits.last == " " { digits.removeLast() }
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
      (1...1 << 30).contains(number), number * (unit?.1 ?? 1) <= 1 << 30
    else { return nil }
    return number * (unit?.1 ?? 1)
  }
}
