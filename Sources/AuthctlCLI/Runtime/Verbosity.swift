import AuthCore

/// What a command prints beside its result, and in which form: from the program's options and the environment.
struct Verbosity: Sendable {
  /// Notes and warnings are suppressed.
  private(set) var quiet = false
  /// Errors of transfers are suppressed: `call -s` without `-S`. Errors of authctl itself are not, but take one line.
  private(set) var silencesTransfers = false
  /// The progress and the warnings of a transfer are shown: without `-q`, and without the `-s` of `call`.
  private(set) var tellsTransfers = true
  /// Each step is logged.
  private(set) var verbose = false
  /// libcurl's notes on its connections are shown, too: `-v` given twice.
  private(set) var tracesConnections = false
  /// Whether prompts are disabled.
  private(set) var nonInteractive = true
  /// The result is JSON (`--json`).
  private(set) var printsJSON = false
  /// Errors are JSON.
  private(set) var errorsAsJSON = false
  /// Whether standard output and standard error are coloured.
  private(set) var colour = (output: false, error: false)

  /// Prints notes, warnings and errors as text without colour, and never prompts.
  init() {}

  /// Reads the options of a command line and the environment.
  init(_ invocation: Invocation, _ context: Context) {
    quiet = invocation.has(.quiet)
    silencesTransfers = invocation.has(.silent) && !invocation.has(.showError)
    tellsTransfers = !quiet && !invocation.has(.silent)
    verbose = invocation.has(.verbose)
    tracesConnections = invocation.occurrences.count { $0.option == .verbose } > 1
    nonInteractive = invocation.has(.nonInteractive) || !context.console.terminals.input
    // The switch; the option of that name that takes a value is curl's (`call --json DATA`).
    printsJSON = invocation.occurrences.contains { $0.option == .json && $0.value == nil }
    self = with(errors: invocation.value(.errors), context)
    colour = Verbosity.colour(invocation.value(.color), context)
  }

  /// The same with the format of errors: as given, else of `AUTHCTL_ERRORS`, else JSON if the result is.
  func with(errors format: String?, _ context: Context) -> Verbosity {
    var verbosity = self
    verbosity.errorsAsJSON = (format ?? context.variable("AUTHCTL_ERRORS")) == "json" || printsJSON
    return verbosity
  }

  /// Refuses an `AUTHCTL_ERRORS` that names no format: a caller that relies on JSON must not get text without notice.
  ///
  /// - Throws: ``UsageError``.
  static func checkErrorFormat(_ context: Context) throws(UsageError) {
    let formats = Option.errors.value?.choices ?? []
    guard let format = context.variable("AUTHCTL_ERRORS"), !formats.contains(format) else { return }
    throw UsageError(
      message: "AUTHCTL_ERRORS: '\(Escaped.text(format, limit: 80))' is not an error format",
      hint: "set it to \(formats.joined(separator: " or "))")
  }

  /// `--color`, else `NO_COLOR` (any value but an empty one says no), else whether it is a terminal.
  static func colour(_ choice: String?, _ context: Context) -> (output: Bool, error: Bool) {
    switch choice {
    case "always": return (true, true)
    case "never": return (false, false)
    default:
      guard context.variable("NO_COLOR") == nil, context.variable("TERM") != "dumb" else { return (false, false) }
      return (context.console.terminals.output, context.console.terminals.error)
    }
  }
}
