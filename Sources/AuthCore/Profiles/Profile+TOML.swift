extension Profile {
  /// Reads a profile's TOML text strictly.
  ///
  /// - Parameters:
  ///   - text: the whole file.
  ///   - file: its path, for messages.
  ///   - name: the profile's name.
  /// - Throws: ``AuthError/usage(_:)`` with the location in the file and the remedy.
  package init(toml text: String, file: String, name: ProfileName) throws(AuthError) {
    try self.init(name: name, ProfileSource(name: name, file: file, text: text))
  }

  /// Reads a profile from its file.
  init(name: ProfileName, _ source: ProfileSource) throws(AuthError) {
    do throws(ProfileFault) {
      try self.init(name: name, ProfileTable(source.document.members))
    } catch {
      throw source.error(error)
    }
    custom?.arrangeParts { source.document.names(in: ["requests", $0, "multipart"]) }
  }
}

/// The file of a profile or of the configuration, so that an error can name the location.
struct ProfileSource {
  /// The values and their places.
  let document: TOMLDocument
  /// The subject of an error: `profile NAME`, or the configuration.
  private let what: String
  private let file: String

  /// Reads the file of a profile.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the text is not TOML.
  init(name: ProfileName, file: String, text: String) throws(AuthError) {
    try self.init(what: "profile \(name)", file: file, text: text)
  }

  /// Reads a file.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the text is not TOML.
  init(what: String, file: String, text: String) throws(AuthError) {
    self.what = what
    self.file = file
    do throws(TOMLDocument.Fault) {
      document = try TOMLDocument(text)
    } catch {
      let why = "\(file):\(error.place.line):\(error.place.column): \(error.why)"
      let hint = "fix the file: TOML strings need quotes, e.g. issuer = \"https://…\""
      throw .usage(what, why: why, hint: hint)
    }
  }

  /// Returns an error at the location of a key.
  func error(at path: [String], _ why: String, hint: String) -> AuthError {
    let place = document.place(of: path).map { ":\($0.line):\($0.column)" } ?? ""
    return .usage(what, why: "\(file)\(place): \(why)", hint: hint)
  }

  /// Returns an error at the location of the fault.
  func error(_ fault: ProfileFault) -> AuthError { error(at: fault.path, fault.why, hint: fault.hint) }
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
