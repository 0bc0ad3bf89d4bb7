import AuthCore

/// Controls what a command prints besides its result, and in which format: from the options and the environment.
struct Verbosity: Sendable {
  /// Notes and warnings are suppressed.
  private(set) var quiet = false
  /// Errors of transfers are suppressed: `call -s` without `-S`. Other errors are still printed, on one line.
  private(set) var silencesTransfers = false
  /// The progress and the warnings of a transfer are shown: without `-q`, and without the `-s` option of `call`.
  private(set) var reportsTransfers = true
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
    reportsTransfers = !quiet && !invocation.has(.silent)
    verbose = invocation.has(.verbose)
    tracesConnections = invocation.occurrences.count { $0.option == .verbose } > 1
    nonInteractive = invocation.has(.nonInteractive) || !context.console.terminals.input
    // Only the flag counts: `call --json DATA` is curl's option of the same name.
    printsJSON = invocation.occurrences.contains { $0.option == .json && $0.value == nil }
    self = with(errors: invocation.value(.errors), colour: invocation.value(.color), context)
  }

  /// Returns a copy with the format of errors: the given one, else `AUTHCTL_ERRORS`, else JSON if the result is JSON.
  ///
  /// - Parameter choice: when to colour messages; see ``colour(_:_:)``.
  func with(errors format: String?, colour choice: String?, _ context: Context) -> Verbosity {
    var verbosity = self
    verbosity.colour = Verbosity.colour(choice, context)
    verbosity.errorsAsJSON = (format ?? context.variable("AUTHCTL_ERRORS")) == "json" || printsJSON
    return verbosity
  }

  /// Refuses an unknown format in `AUTHCTL_ERRORS`: a caller that relies on JSON must not silently get text.
  ///
  /// - Throws: ``UsageError``.
  static func checkErrorFormat(_ context: Context) throws(UsageError) {
    let formats = Option.errors.value?.choices ?? []
    guard let format = context.variable("AUTHCTL_ERRORS"), !formats.contains(format) else { return }
    throw UsageError(
      message: "AUTHCTL_ERRORS: '\(Escaped.text(format, limit: 80))' is not an error format",
      hint: "set it to \(formats.joined(separator: " or "))")
  }

  /// Returns whether to colour each stream: from `--color`, else `NO_COLOR`, else whether it is a terminal. Any
  /// non-empty value of `NO_COLOR` disables colour, and so does a `dumb` terminal.
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
