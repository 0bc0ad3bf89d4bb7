import FoundationEssentials

/// The forms in which secrets occur in a text, found in linear time by their first four bytes.
struct SecretForms: Sendable {
  /// A form of a secret.
  struct Form: Sendable, Hashable {
    let bytes: [UInt8]
    /// The number of bytes before it that belong to the secret, too: Base64 characters of the secret and of what
    /// precedes it.
    var before = 0
    /// Whether the character behind it belongs to the secret, too, and the padding of Base64.
    var isContinued = false
    /// Whether it must satisfy the condition for plain secrets.
    var isPlain = true

    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  /// The number of bytes that are compared with a form; if they are equal, it is the secret, perhaps cut.
  private static let longest = 256
  /// The number of bytes by which forms are found.
  private static let keyLength = 4
  /// The minimum length of an encoded form; a shorter one could be a part of any text.
  private static let shortestEncoding = 6

  private var byKey: [UInt32: [Form]] = [:]
  /// Forms that are shorter than a key.
  private var short: [Form] = []
  /// A bit for each hash of a key that is present.
  private var filter: [UInt64] = []

  /// Whether there are no forms.
  var isEmpty: Bool { byKey.isEmpty && short.isEmpty }

  /// Adds a form.
  mutating func insert(_ form: Form) {
    guard form.bytes.count >= SecretForms.keyLength else {
      if !form.bytes.isEmpty { short.append(form) }
      return
    }
    if filter.isEmpty { filter = Array(repeating: 0, count: 1024) }
    let key = form.bytes.prefix(SecretForms.keyLength).reduce(0) { $0 << 8 | UInt32($1) }
    let bit = SecretForms.hash(key)
    filter[bit >> 6] |= 1 << UInt64(bit & 63)
    byKey[key, default: []].append(form)
    // Of two that begin alike, the longer one is found.
    byKey[key]?.sort { $0.bytes.count > $1.bytes.count }
  }

  private static func hash(_ key: UInt32) -> Int { Int((key &* 2_654_435_761) >> 16) }

  // MARK: - Encodings

  /// Returns a secret in hexadecimal digits and in Base64 of either alphabet (RFC 4648), there in each position that it
  /// can have in a longer text.
  static func encodings(of secret: [UInt8]) -> [Form] {
    let digits = secret.map { (byte: UInt8) in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    var forms = [Form(Array(digits.utf8)), Form(Array(digits.uppercased().utf8))]
    for lead in 0...2 {
      let bits = (lead + secret.count) * 8
      let text = Data(Array(repeating: 0, count: lead) + secret).base64EncodedString()
      let before = [0, 2, 3][lead]
      var standard = Form(Array(text.utf8.prefix(bits / 6).dropFirst(before)))
      standard.before = before
      standard.isContinued = bits % 6 != 0
      let url = standard.bytes.map { (byte: UInt8) in
        byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
      }
      var other = Form(url)
      (other.before, other.isContinued) = (standard.before, standard.isContinued)
      forms += url == standard.bytes ? [standard] : [standard, other]
    }
    return forms.filter { $0.bytes.count >= shortestEncoding }.map { form in
      var form = form
      form.isPlain = false
      return form
    }
  }

  // MARK: - Search

  /// Returns the places of secrets.
  ///
  /// - Parameter isCut: whether the text may end within a secret, whose beginning is then found, too.
  /// - Parameter isAccepted: the condition for a plain form, given its place.
  func ranges(in text: [UInt8], isCut: Bool, _ isAccepted: (Range<Int>) -> Bool) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = 0
    while index < text.count {
      guard let range = range(at: index, in: text, isCut, isAccepted) else {
        index += 1
        continue
      }
      found.append(range)
      index = range.upperBound
    }
    return found
  }

  private func range(
    at index: Int, in text: [UInt8], _ isCut: Bool, _ isAccepted: (Range<Int>) -> Bool
  ) -> Range<Int>? {
    func first(_ forms: [Form]) -> Range<Int>? {
      for form in forms {
        if let range = SecretForms.range(of: form, at: index, text, isCut, isAccepted) { return range }
      }
      return nil
    }
    guard index + SecretForms.keyLength <= text.count else {
      // The last bytes may be the beginning of any form.
      return first(short) ?? (isCut ? first(byKey.values.joined().filter(\.isPlain)) : nil)
    }
    if !filter.isEmpty {
      let key =
        UInt32(text[index]) << 24 | UInt32(text[index + 1]) << 16 | UInt32(text[index + 2]) << 8
        | UInt32(text[index + 3])
      let bit = SecretForms.hash(key)
      if filter[bit >> 6] & 1 << UInt64(bit & 63) != 0, let forms = byKey[key], let range = first(forms) {
        return range
      }
    }
    return short.isEmpty ? nil : first(short)
  }

  private static func range(
    of form: Form, at index: Int, _ text: [UInt8], _ isCut: Bool, _ isAccepted: (Range<Int>) -> Bool
  ) -> Range<Int>? {
    var end = index
    let limit = min(text.count, index + form.bytes.count)
    while end < limit, text[end] == form.bytes[end - index] { end += 1 }
    let isFound = end - index >= min(form.bytes.count, longest) || isCut && end == text.count
    guard isFound, !form.isPlain || isAccepted(index..<end) else { return nil }
    if form.isContinued, end < text.count { end += 1 }
    while !form.isPlain, end < text.count, text[end] == UInt8(ascii: "=") { end += 1 }
    return max(0, index - form.before)..<end
  }
}
