extension Option {
  /// What follows the name of an option that isn't a switch.
  struct Value: Sendable {
    /// Its name in help and manual: `FILE`.
    let placeholder: String
    /// What it may be; empty if that can't be listed.
    let choices: [String]
    /// Whether it may be something else than the choices.
    let isOpen: Bool
    /// What a shell can offer for it, beside the choices.
    let completion: Completion
    /// What is wrong with a value; nil if it is as it must be, as far as can be told before anything is looked up.
    let check: @Sendable (String) -> Fault?

    /// Describes a value.
    init(
      placeholder: String, choices: [String], isOpen: Bool = false, completion: Completion,
      check: @escaping @Sendable (String) -> Fault? = { _ in nil }
    ) {
      self.placeholder = placeholder
      self.choices = choices
      self.isOpen = isOpen
      self.completion = completion
      self.check = check
    }

    /// A text that only the user knows.
    static func text(_ placeholder: String) -> Value { Value(placeholder: placeholder, choices: [], completion: .none) }

    /// One of the words listed.
    static func choice(_ placeholder: String, _ choices: [String]) -> Value {
      Value(placeholder: placeholder, choices: choices, completion: .none)
    }

    /// One of the words listed, or another one that only a profile knows.
    static func word(_ placeholder: String, _ choices: [String]) -> Value {
      Value(placeholder: placeholder, choices: choices, isOpen: true, completion: .none)
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
