import AuthCore

/// The secrets that `call` prompts for. They are never arguments, which all users of a machine can read.
struct CallSecrets: Sendable {
  /// The name of `-u` and its password; nil if the option is not given.
  let credentials: BasicCredentials?
  /// The password of the private key of `--key` or `-E`; nil if there is none, or it is not encrypted.
  let keyPassword: Secret?

  /// Nothing was prompted for.
  static let none = CallSecrets(credentials: nil, keyPassword: nil)

  private init(credentials: BasicCredentials?, keyPassword: Secret?) {
    self.credentials = credentials
    self.keyPassword = keyPassword
  }

  /// Prompts for the secrets that the options need.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if there is no terminal for the prompt, or the input is unusable.
  init(promptingFor arguments: CallArguments, _ context: Context) throws(AuthError) {
    credentials = try CallSecrets.credentials(arguments, context)
    keyPassword = try CallSecrets.keyPassword(arguments, context)
  }

  private static func credentials(_ arguments: CallArguments, _ context: Context) throws(AuthError)
    -> BasicCredentials?
  {
    guard case .password(let user) = arguments.authorization else { return nil }
    let hint = "run it on a terminal, or use a profile with type = \"basic\" and authctl login"
    let password = try ask("Password of \(Escaped.text(user, limit: 80)): ", for: "-u", hint: hint, context)
    guard let credentials = BasicCredentials(username: user, password: password) else {
      throw .usage("-u", why: "the password contains a control character", hint: "type it again")
    }
    return credentials
  }

  private static func keyPassword(_ arguments: CallArguments, _ context: Context) throws(AuthError) -> Secret? {
    let given = arguments.network.options(of: nil)
    guard let path = given.clientKey ?? given.clientCertificate, isEncrypted(path) else { return nil }
    return try ask(
      "Password of \(Escaped.text(path, limit: 80)): ", for: "the password of the private key",
      hint: "run it on a terminal, or give a key that is not encrypted, in a file of mode 0600", context)
  }

  /// Returns whether a PEM file contains an encrypted private key.
  ///
  /// Detects RFC 7468, section 11, and the older form of RFC 1421. The transport reports a file that can't be read.
  private static func isEncrypted(_ path: String) -> Bool {
    guard let content = try? InputFile(path: path).smallContent() else { return false }
    let text = String(decoding: content, as: UTF8.self)
    return text.contains(bytes: "-----BEGIN ENCRYPTED PRIVATE KEY-----")
      || text.contains(bytes: "Proc-Type: 4,ENCRYPTED")
  }

  private static func ask(
    _ prompt: String, for what: String, hint: String, _ context: Context
  ) throws(AuthError) -> Secret {
    guard !context.verbosity.nonInteractive else {
      throw .usage(what, why: "there is no terminal to prompt on", hint: hint)
    }
    let response = try context.console.ask(prompt, echo: false, for: what, hint: hint)
    guard let response, !response.isEmpty else { throw .usage(what, why: "no password entered", hint: hint) }
    return Secret(response)
  }
}
