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

  /// The number of lists in which forms are kept by their keys.
  private static let listCount = 2048

  private var forms: [Form] = []
  /// For each list the number of its first form, counted from 1; 0 for an empty list. A dictionary would take longer
  /// to create than the search in most texts.
  private var first: [UInt32] = []
  /// For each form the number of the next one in its list; 0 for the last one.
  private var next: [UInt32] = []
  /// Forms that are shorter than a key.
  private var short: [Form] = []

  /// Whether there are no forms.
  var isEmpty: Bool { forms.isEmpty && short.isEmpty }

  /// Adds a form.
  mutating func insert(_ form: Form) {
    guard form.bytes.count >= SecretForms.keyLength else {
      if !form.bytes.isEmpty { short.append(form) }
      return
    }
    if first.isEmpty { first = Array(repeating: 0, count: SecretForms.listCount) }
    let list = SecretForms.list(of: form.bytes, at: 0)
    // Of two that begin alike, the longer one is found.
    var previous = 0
    var following = Int(first[list])
    while following > 0, forms[following - 1].bytes.count > form.bytes.count {
      previous = following
      following = Int(next[following - 1])
    }
    forms.append(form)
    next.append(UInt32(following))
    if previous > 0 { next[previous - 1] = UInt32(forms.count) } else { first[list] = UInt32(forms.count) }
  }

  /// Returns the list of the forms that may begin at a position, from the key there.
  private static func list(of text: [UInt8], at index: Int) -> Int {
    let key =
      UInt32(text[index]) << 24 | UInt32(text[index + 1]) << 16 | UInt32(text[index + 2]) << 8 | UInt32(text[index + 3])
    return Int((key &* 2_654_435_761) >> 21)
  }

  // MARK: - Encodings

  /// Returns a secret in hexadecimal digits and in Base64 of either alphabet (RFC 4648), there in each position that it
  /// can have in a longer text.
  static func encodings(of secret: [UInt8]) -> [Form] {
    var forms: [Form] = []
    forms.reserveCapacity(8)
    func append(_ text: [UInt8], before: Int = 0, isContinued: Bool = false) {
      guard text.count >= shortestEncoding else { return }
      var form = Form(text)
      form.before = before
      form.isContinued = isContinued
      form.isPlain = false
      forms.append(form)
    }
    append(hexadecimal(secret, digits))
    append(hexadecimal(secret, capitalDigits))
    for lead in 0...2 {
      let before = lead == 0 ? 0 : lead + 1
      let isContinued = (lead + secret.count) * 8 % 6 != 0
      let standard = base64(secret, after: lead)
      append(standard, before: before, isContinued: isContinued)
      guard standard.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else { continue }
      let url = standard.map { (byte: UInt8) in
        byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
      }
      append(url, before: before, isContinued: isContinued)
    }
    return forms
  }

  private static let digits = Array("0123456789abcdef".utf8)
  private static let capitalDigits = Array("0123456789ABCDEF".utf8)
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func hexadecimal(_ secret: [UInt8], _ digits: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(2 * secret.count)
    for byte in secret {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    return text
  }

  /// Returns the Base64 characters that depend on a secret only, if `lead` bytes precede it.
  private static func base64(_ secret: [UInt8], after lead: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(secret.count * 4 / 3 + 1)
    let alphabet = alphabet
    var pending: UInt32 = 0
    // The first bits share a character with what precedes the secret.
    var count: UInt32 = 0
    var skipped: UInt32 = lead == 0 ? 0 : lead == 1 ? 4 : 2
    for byte in secret {
      pending = pending << 8 | UInt32(byte)
      count += 8 - skipped
      skipped = 0
      while count >= 6 {
        count -= 6
        text.append(alphabet[Int(pending >> count & 0x3F)])
      }
    }
    return text
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
      var range: Range<Int>?
      let hasKey = index + SecretForms.keyLength <= text.count
      var number = hasKey && !first.isEmpty ? Int(first[SecretForms.list(of: text, at: index)]) : 0
      while range == nil, number > 0 {
        range = SecretForms.range(of: forms[number - 1], at: index, text, isCut, isAccepted)
        number = Int(next[number - 1])
      }
      if range == nil, !short.isEmpty { range = SecretForms.range(ofOne: short, at: index, text, isCut, isAccepted) }
      // The last bytes may be the beginning of any form.
      if range == nil, isCut, !hasKey {
        range = SecretForms.range(ofOne: forms.filter(\.isPlain), at: index, text, isCut, isAccepted)
      }
      if let range { found.append(range) }
      index = range?.upperBound ?? index + 1
    }
    return found
  }

  private static func range(
    ofOne forms: [Form], at index: Int, _ text: [UInt8], _ isCut: Bool, _ isAccepted: (Range<Int>) -> Bool
  ) -> Range<Int>? {
    for form in forms {
      if let range = range(of: form, at: index, text, isCut, isAccepted) { return range }
    }
    return nil
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
