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
    let list = SecretForms.list(of: form.bytes[...], at: 0)
    forms.append(form)
    next.append(first[list])
    first[list] = UInt32(forms.count)
  }

  /// Returns the list of the forms that may begin at a position, from the key there.
  private static func list(of text: ArraySlice<UInt8>, at index: Int) -> Int {
    let key =
      UInt32(text[index]) << 24 | UInt32(text[index + 1]) << 16 | UInt32(text[index + 2]) << 8 | UInt32(text[index + 3])
    return Int((key &* 2_654_435_761) >> 21)
  }

  // MARK: - Encodings

  /// Returns a secret in hexadecimal digits and in Base64 of either alphabet (RFC 4648), there in each position that it
  /// can have in a longer text.
  static func encodings(of secret: [UInt8]) -> [Form] {
    var forms: [Form] = []
    func append(_ text: some Sequence<UInt8>, before: Int = 0, isContinued: Bool = false) {
      var form = Form(Array(text))
      guard form.bytes.count >= shortestEncoding else { return }
      (form.before, form.isContinued, form.isPlain) = (before, isContinued, false)
      forms.append(form)
    }
    for digits in ["0123456789abcdef", "0123456789ABCDEF"].map({ Array($0.utf8) }) {
      append(secret.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] })
    }
    for lead in 0...2 {
      // The first and the last bits share a character with what is around the secret.
      let before = lead == 0 ? 0 : lead + 1
      let text = Data([UInt8](repeating: 0, count: lead) + secret).base64EncodedString().utf8
      let bits = (lead + secret.count) * 8
      let standard = text.prefix(bits / 6).dropFirst(before)
      append(standard, before: before, isContinued: bits % 6 != 0)
      let url = String(Substring(standard)).replacing(bytes: "+", with: "-").replacing(bytes: "/", with: "_").utf8
      if !url.elementsEqual(standard) { append(url, before: before, isContinued: bits % 6 != 0) }
    }
    return forms
  }

  // MARK: - Search

  /// Returns the places of secrets.
  ///
  /// - Parameter isCut: whether the text may end within a secret, whose beginning is then found, too.
  /// - Parameter isAccepted: the condition for a plain form, given its place.
  func ranges(in text: ArraySlice<UInt8>, isCut: Bool, _ isAccepted: (Range<Int>) -> Bool) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = 0
    while index < text.endIndex {
      let hasKey = index + SecretForms.keyLength <= text.endIndex
      var candidates = short
      var number = hasKey && !first.isEmpty ? Int(first[SecretForms.list(of: text, at: index)]) : 0
      while number > 0 {
        candidates.append(forms[number - 1])
        number = Int(next[number - 1])
      }
      // The last bytes may be the beginning of any form.
      if isCut, !hasKey { candidates += forms.filter(\.isPlain) }
      guard !candidates.isEmpty else {
        index += 1
        continue
      }
      // Of two that begin alike, the longer one is found.
      let ranges = candidates.compactMap { SecretForms.range(of: $0, at: index, text, isCut, isAccepted) }
      let range = ranges.max { $0.upperBound < $1.upperBound }
      if let range { found.append(range) }
      index = range?.upperBound ?? index + 1
    }
    return found
  }

  private static func range(
    of form: Form, at index: Int, _ text: ArraySlice<UInt8>, _ isCut: Bool, _ isAccepted: (Range<Int>) -> Bool
  ) -> Range<Int>? {
    let end = index + zip(text[index...], form.bytes).prefix { $0 == $1 }.count
    let isFound = end - index >= min(form.bytes.count, longest) || isCut && end == text.endIndex
    guard isFound, !form.isPlain || isAccepted(index..<end) else { return nil }
    // Also a character that the secret shares with what follows, and the padding.
    let rest = text[min(end + (form.isContinued ? 1 : 0), text.endIndex)...]
    let padding = form.isPlain ? 0 : rest.prefix { $0 == UInt8(ascii: "=") }.count
    return max(0, index - form.before)..<rest.startIndex + padding
  }
}
