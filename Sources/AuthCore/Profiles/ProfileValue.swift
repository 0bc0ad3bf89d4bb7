/// The value of one key of a profile, from its file or from options.
struct ProfileValue {
  /// The tables that the key is in, and its own name: `["header", "name"]`.
  let path: [String]
  /// The value in the file or option. Null represents a date, which no key accepts: TOML itself has no null.
  let content: JSONValue

  /// The key's own name.
  var key: String { path.last ?? "" }

  /// Returns an error about this value; `predicate` follows the key's name.
  func fault(_ predicate: String, hint: String) -> ProfileFault { ProfileFault(path, predicate, hint: hint) }

  /// Returns an error about a value of the wrong type.
  func illTyped(wants: String, example: String) -> ProfileFault {
    fault("must be \(wants)", hint: "write \(key) = \(example)")
  }

  func text() throws(ProfileFault) -> String {
    guard let text = content.string else { throw illTyped(wants: "a string", example: "\"…\"") }
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) || path.first == "on" else {
      throw fault("contains a control character", hint: "use one line, without escapes")
    }
    return text
  }

  func flag() throws(ProfileFault) -> Bool {
    guard let flag = content.bool else { throw illTyped(wants: "true or false", example: "true") }
    return flag
  }

  /// Reads a string, or an array of strings.
  func texts() throws(ProfileFault) -> [String] {
    guard let texts = content.strings else {
      throw illTyped(wants: "an array of strings", example: "[\"…\", \"…\"]")
    }
    return texts
  }

  func statuses() throws(ProfileFault) -> Set<Int> {
    guard case .array(let elements) = content else { throw noStatuses }
    var statuses: Set<Int> = []
    for element in elements {
      guard case .integer(let status) = element, (400...599).contains(status) else { throw noStatuses }
      statuses.insert(Int(status))
    }
    return statuses
  }

  private var noStatuses: ProfileFault {
    illTyped(wants: "an array of HTTP statuses from 400 to 599", example: "[401, 403]")
  }

  /// Reads a duration: a string that ``DurationText`` parses, or a number of seconds.
  func duration() throws(ProfileFault) -> Duration {
    guard let duration = textOrInteger.flatMap({ DurationText.parse($0) }) else {
      throw illTyped(wants: "a duration", example: "\"90s\", \"15m\", \"2h\" or \"30d\"")
    }
    return duration
  }

  /// The text, or an integer as digits.
  var textOrInteger: String? {
    if case .integer(let number) = content { String(number) } else { content.string }
  }

  /// Reads one of the words of an enumeration.
  func choice<Choice: RawRepresentable & CaseIterable>() throws(ProfileFault) -> Choice
  where Choice.RawValue == String {
    let text = try text()
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue)
      throw fault("can't be '\(Escaped.text(text))'", hint: NearestName.hint(for: text, among: words, title: "known"))
    }
    return choice
  }

  /// Reads a URL to which secrets may be sent: with TLS, or on loopback.
  func url() throws(ProfileFault) -> WebURL { try url(try text()) }

  /// Reads a list of such URLs.
  func urls() throws(ProfileFault) -> [WebURL] {
    try texts().map { text throws(ProfileFault) in try url(text) }
  }

  private func url(_ text: String) throws(ProfileFault) -> WebURL {
    let url: WebURL
    do {
      url = try WebURL(text)
    } catch {
      throw fault("is not a usable URL: \(error)", hint: "use https://host/path")
    }
    guard url.origin.isSecure else {
      throw fault(
        "is plain http: tokens would cross the network unencrypted",
        hint: "use https (http is for 127.0.0.1, [::1] and localhost only)")
    }
    return url
  }

  /// Reads one JSON Pointer, or several of which the first that finds a value is used.
  func pointers() throws(ProfileFault) -> [JSONPointer] {
    try texts().map { text throws(ProfileFault) in
      guard let pointer = JSONPointer(text) else {
        throw fault(
          "is not a JSON Pointer (RFC 6901): \(Escaped.text(text, limit: 80))",
          hint: "use \"/data/accessToken\"; ~0 is a tilde and ~1 a slash in a name")
      }
      return pointer
    }
  }

  func table() throws(ProfileFault) -> ProfileTable {
    guard case .object(let members) = content else {
      throw fault("must be a table", hint: "write [\(path.joined(separator: "."))] on a line of its own")
    }
    return ProfileTable(members, path: path)
  }
}

/// One table of a profile, or the keys above all tables.
struct ProfileTable {
  private let members: [String: JSONValue]
  private let path: [String]

  init(_ members: [String: JSONValue], path: [String] = []) {
    self.members = members
    self.path = path
  }

  /// The keys that are present, in order.
  var keys: [String] { members.keys.sorted() }

  /// Whether the key is present, with a value of any type.
  func has(_ key: String) -> Bool { members[key] != nil }

  /// The value of a key; nil if it is absent.
  subscript(_ key: String) -> ProfileValue? {
    members[key].map { ProfileValue(path: path + [key], content: $0) }
  }

  /// All values in the order of their keys.
  var values: [ProfileValue] { keys.compactMap { self[$0] } }

  /// Returns an error about a key of this table; `predicate` follows the key's name.
  func fault(_ key: String, _ predicate: String, hint: String) -> ProfileFault {
    ProfileFault(path + [key], predicate, hint: hint)
  }

  /// Returns a table in this one; an empty one if it is absent.
  func table(_ key: String) throws(ProfileFault) -> ProfileTable {
    try self[key]?.table() ?? ProfileTable([:], path: path + [key])
  }

  /// Throws an error for a key that this table does not have.
  func refuse(otherThan known: [String]) throws(ProfileFault) {
    for key in keys where !known.contains(key) {
      let place = path.isEmpty ? "" : " in [\(path.joined(separator: "."))]"
      throw ProfileFault(
        path + [key], why: "unknown key '\(Escaped.text(key))'\(place)",
        hint: NearestName.hint(for: key, among: known.sorted(), title: "known here"))
    }
  }
}

/// An error in a profile, with its location. The reader converts it to a message about a file or about options.
package struct ProfileFault: Error, Equatable {
  /// The key with the error, and the tables that it is in: `["header", "name"]`.
  package let path: [String]
  /// The reason, as a sentence.
  package let why: String
  /// The reason without the key's name as its subject; nil if the sentence has another subject.
  package let predicate: String?
  /// The hint for fixing the file.
  package let hint: String
  /// The key that is missing; nil for any other error.
  package let missing: String?

  /// Creates an error about a key's value; `predicate` follows the key's name.
  init(_ path: [String], _ predicate: String, hint: String) {
    self.path = path
    self.predicate = predicate
    why = "'\(path.last.map { Escaped.text($0) } ?? "")' \(predicate)"
    self.hint = hint
    missing = nil
  }

  /// Creates an error about several keys together.
  init(_ path: [String], why: String, hint: String, missing: String? = nil) {
    self.path = path
    self.why = why
    predicate = nil
    self.hint = hint
    self.missing = missing
  }

  /// Returns the error that a key is missing.
  ///
  /// - Parameters:
  ///   - key: the path of the key, as ``ProfileKey/path``.
  ///   - path: the location to which the error points; nil for the key itself.
  ///   - addition: the text to add to the file.
  static func missing(
    _ key: String, at path: [String]? = nil, _ why: String, add addition: String
  ) -> ProfileFault {
    ProfileFault(path ?? [key], why: why, hint: "add \(addition)", missing: key)
  }
}
