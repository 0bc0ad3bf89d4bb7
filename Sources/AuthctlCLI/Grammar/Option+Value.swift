extension Option {
  /// What follows the name of an option that isn't a switch.
  struct Value: Sendable {
    /// Its name in help and manual: `FILE`.
    let placeholder: String
    /// All that it may be; empty if that can't be listed.
    let choices: [String]
    /// What a shell can offer for it, beside the choices.
    let completion: Completion

    /// A text that only the user knows.
    static func text(_ placeholder: String) -> Value { Value(placeholder: placeholder, choices: [], completion: .none) }

    /// One of the words listed.
    static func choice(_ placeholder: String, _ choices: [String]) -> Value {
      Value(placeholder: placeholder, choices: choices, completion: .none)
    }

    /// The path of a file.
    static func file(_ placeholder: String) -> Value { Value(placeholder: placeholder, choices: [], completion: .file) }

    /// The path of a directory.
    static func directory(_ placeholder: String) -> Value {
      Value(placeholder: placeholder, choices: [], completion: .directory)
    }

    /// A text, or `@` and the path of a file.
    static func textOrAtFile(_ placeholder: String) -> Value {
      Value(placeholder: placeholder, choices: [], completion: .atFile)
    }

    /// The name of a profile.
    static func profile(_ placeholder: String) -> Value {
      Value(placeholder: placeholder, choices: [], completion: .profile)
    }
  }
}
