import AuthCore
import FoundationEssentials

/// The options that give the password of the keyring.
enum KeyringPasswordOptions {
  static let stdin = Option("password-stdin", summary: "read the password from standard input")
  static let file = Option("password-file", .file("FILE"), summary: "read the password from a file")
  static let credential = Option(
    "password-credential",
    .checked("NAME") { name in
      SecretFile.isUsable("credential:\(name)")
        ? nil : .init(why: "not the name of a credential", hint: "use the name in LoadCredential= of the service")
    }, summary: "read the password from a systemd credential")
  static let all = [stdin, file, credential]
}

/// The source of the password of the keyring.
enum KeyringPassword: Sendable, Equatable {
  /// Standard input.
  case input
  /// A file.
  case file(String)
  /// A systemd credential.
  case credential(String)
  /// A prompt at the terminal.
  case prompt

  /// The credential that is used without any option.
  private static let usualCredential = "authctl-keyring"
  private static let what = "the keyring's password"

  /// Reads the options; nil if none is given.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if there are several.
  static func given(_ invocation: Invocation) throws(AuthError) -> KeyringPassword? {
    try invocation.allowOne(of: KeyringPasswordOptions.all, hint: "use only one of them")
    if let path = invocation.value(KeyringPasswordOptions.file) { return .file(path) }
    if let name = invocation.value(KeyringPasswordOptions.credential) { return .credential(name) }
    return invocation.has(KeyringPasswordOptions.stdin) ? .input : nil
  }

  /// Finds the source that is used without an option: the usual credential, or a prompt.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if there is neither.
  static func usual(_ context: Context) throws(AuthError) -> KeyringPassword {
    if let folder = context.credentials, FileManager.default.fileExists(atPath: "\(folder)/\(usualCredential)") {
      return .credential(usualCredential)
    }
    guard !context.verbosity.nonInteractive else {
      throw .usage(
        what, why: "it is missing, and there is no terminal to ask at",
        hint: "use --password-stdin, --password-file FILE, or the systemd credential \(usualCredential)")
    }
    return .prompt
  }

  /// Reads a password that is in a file, or nil: standard input and the user are not read.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the file can't be used.
  func stored(_ context: Context) throws(AuthError) -> Secret? {
    switch self {
    case .file(let path):
      try KeyringPassword.checked(
        SecretInput.contents(
          path, what: KeyringPassword.what, .readableByOwner, instead: KeyringPasswordOptions.stdin))
    case .credential(let name):
      try KeyringPassword.checked(
        SecretFile("credential:\(name)", what: KeyringPassword.what, credentials: context.credentials)
          .text(orRefuse: "it is not a password: it is too large, or not UTF-8 text", hint: "check the credential"))
    case .input, .prompt: nil
    }
  }

  /// Reads the password from wherever it is.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if there is none.
  func read(_ context: Context) throws(AuthError) -> Secret {
    if let stored = try stored(context) { return stored }
    guard context.console.terminals.input else {
      return try KeyringPassword.checked(context.console.readAllInput(for: KeyringPassword.what))
    }
    let typed = try context.console.ask(
      "Password of the keyring: ", echo: false, for: KeyringPassword.what, hint: "use --password-file FILE")
    return try KeyringPassword.checked(typed ?? "")
  }

  /// Removes one line end. Any other character can be part of the password.
  private static func checked(_ text: String) throws(AuthError) -> Secret {
    let password = text.droppingLineEnd
    // gnome-keyring stores the secrets of a keyring without a password in plain text.
    guard !password.isEmpty else {
      throw .usage(what, why: "it is empty", hint: "a keyring without a password would not be encrypted")
    }
    guard !password.utf8.contains(0) else {
      throw .usage(what, why: "it contains a null character", hint: "choose a password without one")
    }
    return Secret(password)
  }
}
