import AuthCore
import HTTPTypes

/// The output of `-v`: steps and header lines in order, with the time since the start, without secrets.
struct Trace: Sendable {
  private let console: any Console
  private let start = ContinuousClock().now
  private let isShown: Bool
  private let showsNotes: Bool
  private let redaction: Redaction
  private let isQuiet: Bool

  init(_ context: Context, tokenField: HTTPField.Name? = nil) {
    console = context.console
    isShown = context.verbosity.verbose
    showsNotes = context.verbosity.tracesConnections
    isQuiet = context.verbosity.quiet
    redaction = Redaction(secretNames: tokenField.map { [$0.canonicalName] } ?? [])
  }

  /// Handles events: all of them with `-v`, else warnings only.
  var events: EventSink {
    { event in
      if isShown { return line("* " + Escaped.line(redaction.knownValues("\(event)"))) }
      guard !isQuiet else { return }
      switch event {
      case .warning(let text): console.note("authctl: warning: \(text)")
      case .cutShort: console.note("authctl: warning: \(event)")
      default: break
      }
    }
  }

  /// Handles header lines, and with `-vv` libcurl's notes; nil without `-v`.
  var wire: (@Sendable (WireLine) -> Void)? {
    guard isShown else { return nil }
    return { wireLine in
      switch wireLine {
      case .note(let text):
        guard showsNotes else { return }
        line("* " + Escaped.text(redaction.text(text)))
      case .sent(let text):
        redaction.learn(headerLine: text)
        line("> " + redaction.headerLine(text))
      case .received(let text):
        line("< " + redaction.headerLine(text))
      }
    }
  }

  private func line(_ text: String) {
    let milliseconds = Int(start.duration(to: ContinuousClock().now).seconds * 1000)
    let digits = String(milliseconds)
    console.note("[" + String(repeating: " ", count: max(0, 5 - digits.count)) + digits + " ms] " + text)
  }
}
