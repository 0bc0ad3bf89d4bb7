import AuthCore

/// The profiles that a command line names: as its PROFILE arguments, by `--profile`, or all of them.
struct ProfileSelection: Sendable, Equatable {
  /// The PROFILE arguments, in order; empty for a command that accepts none.
  let operands: [ProfileName]
  /// The value of `--profile`; nil if it is not given.
  let option: ProfileName?
  /// Whether every profile is selected.
  let isAll: Bool

  /// The name of the selected profile; the first if there are several, nil if there is none.
  var name: ProfileName? { operands.first ?? option }

  /// The option as words of a command line, with a space after it, for a hint that repeats it; empty if not given.
  var repeatedOption: String { option.map { "-p \($0) " } ?? "" }

  /// No profile by name.
  static let none = ProfileSelection(operands: [], option: nil, isAll: false)

  /// Every profile.
  static let all = ProfileSelection(operands: [], option: nil, isAll: true)

  /// One profile, as if it were the argument.
  init(_ name: ProfileName) { self.init(operands: [name], option: nil, isAll: false) }

  private init(operands: [ProfileName], option: ProfileName?, isAll: Bool) {
    self.operands = operands
    self.option = option
    self.isAll = isAll
  }

  /// Reads the names from a command line.
  ///
  /// - Parameters:
  ///   - all: the command's option `--all`; nil if it has none.
  ///   - typed: the arguments that are names; nil for all arguments of a command that accepts names.
  /// - Throws: ``AuthError/usage(_:)`` if a name is invalid, or two options or arguments contradict each other.
  init(_ invocation: Invocation, all: Option? = nil, operands typed: [String]? = nil) throws(AuthError) {
    let accepts = invocation.command.operands.first?.completion == .profile
    let preceding = [invocation.precedingOperand].compactMap(\.self)
    operands = try (typed ?? (accepts ? invocation.operands : preceding)).map { text throws(AuthError) in
      try ProfileChoice.name(text)
    }
    let named = invocation.value(.profile)
    isAll = all.map(invocation.has) ?? false
    guard !isAll || operands.isEmpty && named == nil else {
      throw .usage("--all", why: "it means every profile, but one is named, too", hint: "remove one of them")
    }
    if let named, !operands.isEmpty, operands.map(\.string) != [named] {
      throw .usage(
        "--profile \(Escaped.text(named, limit: 80))", why: "another profile is named, too",
        hint: "name one profile")
    }
    option = try named.map { text throws(AuthError) in try ProfileChoice.name(text) }
  }

  /// Returns the profile of a command that requires a name.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if none is named.
  func requiredName(for command: String) throws(AuthError) -> ProfileName {
    guard let name else {
      throw .usage(command, why: "no profile named", hint: "add the name of a profile")
    }
    return name
  }
}
