import AuthCore

/// What the options of the program and the environment say together about how a command speaks.
struct Verbosity: Sendable {
  /// Notes and warnings are kept back.
  let quiet: Bool
  /// Errors of transfers are kept back: `call -s` without `-S`. Refusals of authctl itself are not, but take one line.
  let silencesTransfers: Bool
  /// It is told how a transfer goes: without `-q`, and without the `-s` of `call`.
  let tellsTransfers: Bool
  /// Each step is told.
  let verbose: Bool
  /// libcurl's notes on its connections are shown, too: `-v` given twice.
  let tracesConnections: Bool
  /// Whether prompts are disabled.
  let nonInteractive: Bool
  /// Errors are JSON.
  let errorsAsJSON: Bool
  /// Standard output and standard error are coloured.
  let colour: (output: Bool, error: Bool)

  init(_ invocation: Invocation, _ context: Context) {
    quiet = invocation.has(.quiet)
    silencesTransfers = invocation.has(.silent) && !invocation.has(.showError)
    tellsTransfers = !quiet && !invocation.has(.silent)
    verbose = invocation.has(.verbose)
    tracesConnections = invocation.occurrences.count { $0.option == .verbose } > 1
    nonInteractive = invocation.has(.nonInteractive) || !context.console.terminals.input
    let format = invocation.value(.errors) ?? context.variable("AUTHCTL_ERRORS")
    errorsAsJSON = format == "json" || invocation.wantsJSON
    colour = Verbosity.colour(invocation.value(.color), context)
  }

  /// Refuses an `AUTHCTL_ERRORS` that names no format: who relies on JSON must not get text without notice.
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

extension Invocation {
  /// Whether the switch `--json` was given; the option of that name that takes a value is curl's (`call --json DATA`).
  var wantsJSON: Bool { occurrences.contains { $0.option == .json && $0.value == nil } }
}
