import TOMLKit

extension Profile {
  /// Reads a profile's TOML text strictly.
  ///
  /// - Parameters:
  ///   - text: the whole file.
  ///   - file: its path, for messages.
  ///   - name: the profile's name.
  /// - Throws: ``AuthError/usage(_:)`` with the location in the file and the remedy.
  package init(toml text: String, file: String, name: ProfileName) throws(AuthError) {
    let source = ProfileSource(name: name, file: file, text: text)
    let members = try source.members()
    do throws(ProfileFault) {
      try self.init(name: name, ProfileTable(members))
      custom?.arrangeParts { ProfileLocator(text).names(in: ["requests", $0, "multipart"]) }
    } catch {
      throw source.error(at: error.path, error.why, hint: error.hint)
    }
  }
}

/// The text of a profile or of the configuration, and its file, so that an error can name the location.
struct ProfileSource {
  /// The subject of an error: `profile NAME`, or the configuration.
  let what: String
  /// The file's path.
  let file: String
  /// The TOML text.
  let text: String

  /// Creates the source of a profile.
  init(name: ProfileName, file: String, text: String) {
    self.init(what: "profile \(name)", file: file, text: text)
  }

  init(what: String, file: String, text: String) {
    self.what = what
    self.file = file
    self.text = text
  }

  /// Returns the keys above all tables, and the tables, with their values.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the text is not TOML.
  func members() throws(AuthError) -> [String: JSONValue] {
    if let fault = TOMLPrecheck.fault(in: text) { throw malformed("\(file):\(fault.line): \(fault.why)") }
    do {
      return ProfileSource.members(try TOMLTable(string: text))
    } catch let error as TOMLParseError {
      let place = "\(file):\(error.source.begin.line):\(error.source.begin.column)"
      throw malformed("\(place): \(TOMLMistake.words(error.description))")
    } catch {
      throw malformed("\(file): not valid TOML")
    }
  }

  private static func members(_ table: TOMLTable) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    for key in table.keys { if let value = table[key] { members[key] = json(value) } }
    return members
  }

  /// Converts a TOML value to JSON; a date, which the precheck refuses, becomes null.
  private static func json(_ value: some TOMLValueConvertible) -> JSONValue {
    switch value.type {
    case .string: value.string.map { .string($0) } ?? .null
    case .bool: value.bool.map { .bool($0) } ?? .null
    case .int: value.int.map { .integer(Int64($0)) } ?? .null
    case .double: value.double.map { .number($0) } ?? .null
    case .array: .array((value.array ?? TOMLArray()).map { json($0.tomlValue) })
    case .table: .object(members(value.table ?? TOMLTable()))
    case .date, .time, .dateTime: .null
    }
  }

  private func malformed(_ why: String) -> AuthError {
    error(why, hint: "fix the file: TOML strings need quotes, e.g. issuer = \"https://…\"")
  }

  /// Creates an error at the location of `path` in the text.
  func error(at path: [String], _ why: String, hint: String) -> AuthError {
    let place = ProfileLocator(text).place(of: path).map { ":\($0.line):\($0.column)" } ?? ""
    return error("\(file)\(place): \(why)", hint: hint)
  }

  private func error(_ why: String, hint: String) -> AuthError {
    .usage(.init(what, why: why, hint: hint))
  }
}

extension JSONValue {
  /// The value in TOML syntax.
  package var toml: String {
    switch self {
    case .null: "\"\""
    case .bool(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .string(let text): JSONValue.quoted(text)
    case .array(let elements): "[" + elements.map(\.toml).joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { " \(JSONValue.quoted($0.key)) = \($0.value.toml)" }
        .joined(separator: ",") + " }"
    }
  }

  /// Returns a text as a basic string in TOML syntax.
  private static func quoted(_ text: String) -> String {
    let short: [Unicode.Scalar: String] = [
      "\"": "\"", "\\": "\\", "\n": "n", "\r": "r", "\t": "t", "\u{8}": "b", "\u{C}": "f",
    ]
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if let letter = short[scalar] {
        quoted += "\\" + letter
      } else if scalar.value < 0x20 || scalar.value == 0x7F {
        quoted += "\\u" + scalar.value.hexadecimal(4)
      } else {
        quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
