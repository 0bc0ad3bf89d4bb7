import TOMLKit

/// Reads one table of a profile's file strictly. Each read names the type that it expects, and ``refuseTheRest()``
/// rejects the keys that were never read.
final class ProfileTable {
  private let table: TOMLTable
  private let path: [String]
  private let source: ProfileSource
  private var known: [String] = []

  init(_ table: TOMLTable, path: [String] = [], source: ProfileSource) {
    self.table = table
    self.path = path
    self.source = source
  }

  /// An error at a key of this table.
  func error(_ key: String, _ why: String, hint: String) -> AuthError {
    source.error(at: path + [key], why, hint: hint)
  }

  /// The keys that are there, in order.
  var keys: [String] { table.keys.sorted() }

  /// Whether the key is there, of whatever type.
  func has(_ key: String) -> Bool { table.keys.contains(key) }

  func string(_ key: String) throws(AuthError) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.string else { throw illTyped(key, wants: "a string", example: "\"…\"") }
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) || path == ["on"] else {
      throw error(key, "'\(key)' contains a control character", hint: "use one line, without escapes")
    }
    return text
  }

  func bool(_ key: String) throws(AuthError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let flag = value.bool else { throw illTyped(key, wants: "true or false", example: "true") }
    return flag
  }

  /// A string, or an array of strings.
  func strings(_ key: String) throws(AuthError) -> [String]? {
    guard let value = value(key) else { return nil }
    if let text = value.string { return [text] }
    guard let array = value.array else { throw illTyped(key, wants: "an array of strings", example: "[\"…\", \"…\"]") }
    var strings: [String] = []
    for element in array {
      guard let text = element.string else {
        throw illTyped(key, wants: "an array of strings", example: "[\"…\", \"…\"]")
      }
      strings.append(text)
    }
    return strings
  }

  func statuses(_ key: String) throws(AuthError) -> Set<Int>? {
    guard let value = value(key) else { return nil }
    let wants = "an array of HTTP statuses from 400 to 599"
    guard let array = value.array else { throw illTyped(key, wants: wants, example: "[401, 403]") }
    var statuses: Set<Int> = []
    for element in array {
      guard let status = element.int, (400...599).contains(status) else {
        throw illTyped(key, wants: wants, example: "[401, 403]")
      }
      statuses.insert(status)
    }
    return statuses
  }

  /// A duration: a string as of ``DurationText``, or a number of seconds.
  func duration(_ key: String) throws(AuthError) -> Duration? {
    guard let value = value(key) else { return nil }
    guard let text = value.string ?? value.int.map(String.init) else {
      throw illTyped(key, wants: "a duration", example: "\"90s\", \"15m\", \"2h\" or \"30d\"")
    }
    guard let duration = DurationText.parse(text) else {
      throw illTyped(key, wants: "a duration", example: "\"90s\", \"15m\", \"2h\" or \"30d\"")
    }
    return duration
  }

  /// One of the words of an enumeration.
  func choice<Choice: RawRepresentable & CaseIterable>(_ key: String) throws(AuthError) -> Choice?
  where Choice.RawValue == String {
    guard let text = try string(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue)
      let nearest = NearestName.of(text, among: words).map { "did you mean '\($0)'? " } ?? ""
      throw error(
        key, "'\(key)' can't be '\(Escaped.text(text))'", hint: nearest + "known: " + words.joined(separator: ", "))
    }
    return choice
  }

  /// A URL to which secrets may be sent: over TLS, or to this machine.
  func url(_ key: String) throws(AuthError) -> WebURL? {
    guard let text = try string(key) else { return nil }
    return try secureURL(text, key: key)
  }

  func secureURL(_ text: String, key: String) throws(AuthError) -> WebURL {
    let url: WebURL
    do {
      url = try WebURL(text)
    } catch {
      throw self.error(
        key, "'\(key)' is not a usable URL: \(error)", hint: "use https://host/path")
    }
    guard url.origin.isSecure else {
      throw error(
        key, "'\(key)' is plain http: tokens would cross the network unencrypted",
        hint: "use https (http is for 127.0.0.1, [::1] and localhost only)")
    }
    return url
  }

  /// A table in this one; an empty one where it is absent.
  func table(_ key: String) throws(AuthError) -> ProfileTable {
    guard let value = value(key) else { return ProfileTable(TOMLTable(), path: path + [key], source: source) }
    guard let inner = value.table else {
      throw error(
        key, "'\(key)' must be a table", hint: "write [\((path + [key]).joined(separator: "."))] on a line of its own")
    }
    return ProfileTable(inner, path: path + [key], source: source)
  }

  /// All entries of this table, which must be strings.
  func allStrings() throws(AuthError) -> [String: String] {
    var entries: [String: String] = [:]
    for key in table.keys { entries[key] = try string(key) }
    return entries
  }

  /// Rejects the keys that have not been read.
  func refuseTheRest() throws(AuthError) {
    for key in table.keys.sorted() where !known.contains(key) {
      let nearest = NearestName.of(key, among: known).map { "did you mean '\($0)'? " } ?? ""
      let place = path.isEmpty ? "" : " in [\(path.joined(separator: "."))]"
      throw error(
        key, "unknown key '\(Escaped.text(key))'\(place)",
        hint: nearest + "known here: " + known.sorted().joined(separator: ", "))
    }
  }

  /// A value of any type, which counts as asked for.
  func value(_ key: String) -> TOMLValue? {
    known.append(key)
    return table[key]
  }

  /// An error about a key whose value is of another type than wanted.
  func illTyped(_ key: String, wants: String, example: String) -> AuthError {
    error(key, "'\(key)' must be \(wants)", hint: "write \(key) = \(example)")
  }
}
