import AuthCore

/// The secrets that the options of a call ask for: never arguments, since every user of a machine sees these.
struct CallSecrets: Sendable {
  private let invocation: Invocation
  private let context: Context

  init(_ invocation: Invocation, _ context: Context) {
    self.invocation = invocation
    self.context = context
  }

  /// The name of `-u`; nil if it is not given.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where a password stands on the command line, or the name is unusable.
  func user() throws(AuthError) -> String? {
    guard let name = invocation.value(CallOptions.user) else { return nil }
    guard !invocation.has(CallOptions.noAuth) else {
      throw .usage(.init("-u", why: "--no-auth is given, too", hint: "remove one of them"))
    }
    guard !name.contains(":") else {
      throw .usage(
        .init(
          "-u NAME:PASSWORD", why: "all users of this machine can read a password on the command line",
          hint: "use -u NAME and enter the password when prompted, or use a profile with type = \"basic\""))
    }
    guard !name.isEmpty, BasicCredentials(username: name, password: Secret("")) != nil else {
      throw .usage(.init("-u", why: "the name is empty, or contains a control character", hint: "use -u NAME"))
    }
    return name
  }

  /// Asks for the password of `-u`; nil if the option is not given.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if there is no terminal to ask at.
  func credentials() throws(AuthError) -> BasicCredentials? {
    guard let name = try user() else { return nil }
    let hint = "run it on a terminal, or use a profile with type = \"basic\" and authctl login"
    let password = try ask("Password of \(Escaped.text(name, limit: 80)): ", for: "-u", hint: hint)
    guard let credentials = BasicCredentials(username: name, password: password) else {
      throw .usage(.init("-u", why: "the password contains a control character", hint: "type it again"))
    }
    return credentials
  }

  /// The password of the private key of `--key` or `-E`; nil if there is none, or it is not encrypted.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the user cannot be asked for it.
  func keyPassword() throws(AuthError) -> Secret? {
    let certificate = invocation.value(CallOptions.cert).flatMap { CertificateName($0).path }
    guard let path = invocation.value(CallOptions.key) ?? certificate, CallSecrets.isEncrypted(path) else { return nil }
    return try ask(
      "Password of \(Escaped.text(path, limit: 80)): ", for: "the password of the private key",
      hint: "run it on a terminal, or give a key that is not encrypted, in a file of mode 0600")
  }

  /// Whether a PEM file has an encrypted private key in it (RFC 7468, section 11, or the older form of RFC 1421). What
  /// can't be read is for the transport to complain of.
  private static func isEncrypted(_ path: String) -> Bool {
    guard let content = try? InputFile(path: path).smallContent() else { return false }
    let text = String(decoding: content, as: UTF8.self)
    return text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED")
  }

  private func ask(_ prompt: String, for what: String, hint: String) throws(AuthError) -> Secret {
    guard !context.verbosity.nonInteractive else {
      throw .usage(.init(what, why: "there is no terminal to prompt on", hint: hint))
    }
    let response: String?
    do {
      response = try context.console.ask(prompt, echo: false)
    } catch {
      throw .failed(.init(what, why: "the terminal can't be read: \(error)", hint: hint))
    }
    guard let response, !response.isEmpty else { throw .usage(.init(what, why: "no password entered", hint: hint)) }
    return Secret(response)
  }
}
