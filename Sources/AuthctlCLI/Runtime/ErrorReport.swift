import AuthCore
import SystemPackage

/// Converts an error into an exit status and a message: the only place that does.
struct ErrorReport: Sendable {
  /// The exit status.
  let status: ExitStatus
  /// The message: what failed, and why.
  private(set) var message: String
  /// How to fix it; empty if there is nothing to add.
  private(set) var hint: String
  /// The name of the profile, if the error is about one.
  var profile: String?
  /// Why the user must log in; nil for other errors.
  private var reason: LoginReason?
  /// Whether no better hint is known than to look for the cause.
  private var isUnexplained = false
  /// Whether the hint is on the line of the message.
  var isOneLine = false
  /// Whether there is no message to print.
  private var isSilent = false
  /// Whether the error comes from a transfer, as curl's own messages do, and not from a check of authctl.
  var isOfTransfer = false

  init(_ error: any Error) {
    switch error {
    case let error as UsageError:
      self.init(.usage, error.message, error.hint)
    case let error as AuthError:
      self.init(ErrorReport.status(error), error.explanation)
    case CLIError.http(let explanation):
      self.init(.http, explanation)
      isOfTransfer = true
    case CLIError.transfer(let error):
      self.init(ErrorReport.status(error), error.explanation)
      isOfTransfer = true
    case CLIError.command(let explanation, let isThere):
      self.init(isThere ? .notExecutable : .notFound, explanation)
    case CLIError.outputClosed, Errno.brokenPipe:
      self.init(.failed, "writing the output: the reader is gone", "")
      isSilent = true
    case let error as Errno:
      self.init(.failed, "writing the output: \(error)", "check the disk or the target of standard output")
      isOfTransfer = true
    default:
      self.init(.failed, "unexpected: \(Escaped.text(String(describing: error)))", "report this as a bug")
    }
  }

  init(_ status: ExitStatus, _ message: String, _ hint: String) {
    self.status = status
    self.message = message
    self.hint = hint
  }

  private init(_ status: ExitStatus, _ explanation: AuthError.Explanation) {
    // To the user, a session is a profile.
    let session = explanation.what.dropping(prefix: AuthError.sessionWord)
    let what = session.map { "profile \($0)" } ?? explanation.what
    self.init(status, "\(what): \(explanation.why)", ErrorReport.hint(explanation))
    reason = explanation.reason
    isUnexplained =
      [.keyring, .tryLater].contains(status) && (hint.isEmpty || explanation.remedy == .tryAgain(after: nil))
  }

  private static func hint(_ explanation: AuthError.Explanation) -> String {
    [explanation.hint, explanation.remedy.map(advice) ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// Returns the command line advice for a remedy of the library.
  private static func advice(_ remedy: AuthError.Remedy) -> String {
    switch remedy {
    case .logIn(let session): "run: authctl login \(session)"
    case .giveClientSecret(let session): "run: authctl login \(session); it prompts for the client secret"
    case .giveClientKey(let session): "run: authctl login \(session) --client-key-file FILE"
    case .giveField(let name, let isFile): "use --field \(name)=\(isFile ? "@FILE" : "VALUE")"
    case .stateEndpoint(let session, let key):
      "run: authctl profile edit \(session); add \(key) = \"https://…\" to [endpoints]"
    case .tryAgain(let after):
      "try again \(after.map { "in " + DurationText.describe($0.rounded(.up)) } ?? "later")"
    case .checkNetworkOptions: "check the installation and [network] in the profile"
    case .followNoRedirects: "without -L the redirect itself is the response"
    case .trustCertificate:
      "for a certificate of a private authority, set its file: cacert in [network] of the profile"
        + " (login and call: --cacert FILE)"
    case .unlockKeyring: "without a desktop, run: authctl keyring unlock"
    }
  }

  /// Prints the error to standard error, as JSON or as text, unless the command line suppresses it.
  ///
  /// - Parameter profile: the profile in the report, unless the error itself names one.
  /// - Returns: the exit status.
  func report(_ context: Context, profile: String? = nil) -> ExitStatus {
    let verbosity = context.verbosity
    guard !isSilent, !isOfTransfer || !verbosity.silencesTransfers else { return status }
    let report = about(self.profile ?? profile, context)
    if verbosity.errorsAsJSON {
      context.console.draw(report.named(context.program).json + "\n")
    } else {
      context.console.show(
        verbosity.silencesTransfers || isOneLine ? report.line : report.text, as: .failure)
    }
    return status
  }

  /// Returns a copy that names the profile. If no better hint is known, the hint names `doctor`, unless the profile
  /// does not exist, such as that of a first login.
  func about(_ profile: String?, _ context: Context) -> ErrorReport {
    var report = self
    report.profile = profile
    guard isUnexplained, let name = profile.flatMap({ ProfileName($0) }), context.profiles.has(name) else {
      return report
    }
    report.isUnexplained = false
    report.hint = (hint.isEmpty ? "" : hint + "; ") + "to find the cause: authctl doctor \(name)"
    return report
  }

  /// Returns a copy with the name by which the user calls the program.
  func named(_ program: ProgramName) -> ErrorReport {
    var report = self
    report.message = program.named(hint: message)
    report.hint = program.named(hint: hint)
    return report
  }

  private static func status(_ error: AuthError) -> ExitStatus {
    switch error {
    case .failed: .failed
    case .usage: .usage
    case .loginRequired: .loginRequired
    case .storage: .keyring
    case .tryLater: .tryLater
    case .refused: .refused
    case .origin: .origin
    }
  }

  /// The report as text: `authctl: what: why`, then the hint on a second line.
  var text: String {
    let (message, hint) = (Escaped.line(message), Escaped.line(hint))
    return hint.isEmpty ? "authctl: \(message)" : "authctl: \(message)\n  \(hint)"
  }

  /// The report on one line, for users who suppress transfer messages.
  var line: String { hint.isEmpty ? text : "authctl: \(message); \(hint)" }

  /// The error as one JSON object.
  var json: String {
    // Only strings and one integer: encoding can't fail.
    (try? JSONValue.object(["error": object]).text()) ?? "{}"
  }

  /// The error as the members of a JSON object.
  var object: JSONValue {
    var error: [String: JSONValue] = [
      "code": .string(status.word), "exit": .integer(Int64(status.rawValue)), "message": .string(message),
      "hint": .string(hint),
    ]
    if let profile { error["profile"] = .string(profile) }
    if let reason { error["reason"] = .string(reason.rawValue) }
    return .object(error)
  }
}

/// An error of a command, besides those of tokens.
enum CLIError: Error, Sendable, Equatable {
  /// The API responded with status 400 or more; the body has been written.
  case http(AuthError.Explanation)
  /// The transfer failed: the response was incomplete, or could not be written.
  case transfer(AuthError)
  /// `exec`: the command can't be run; `isThere` is whether it exists.
  case command(AuthError.Explanation, isThere: Bool)
  /// The reader of the output has exited.
  case outputClosed
}
