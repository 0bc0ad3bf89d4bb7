import AuthCore
import HTTPTypes

/// What `-v` tells: steps and header lines in their order, with the time since the start, without secrets.
struct Trace: Sendable {
  private let console: any Console
  private let start = ContinuousClock().now
  private let secretFields: Set<String>
  private let isShown: Bool
  private let isQuiet: Bool

  init(_ settings: Settings, _ context: Context, tokenField: HTTPField.Name? = nil) {
    console = context.console
    isShown = settings.verbose
    isQuiet = settings.quiet
    secretFields = Redaction.secretFields.union(tokenField.map { [$0.canonicalName] } ?? [])
  }

  /// Takes events: all of them with `-v`, else warnings only.
  var events: EventSink {
    { event in
      if isShown { return line("* \(event)") }
      guard !isQuiet else { return }
      switch event {
      case .warning(let text): console.note("authctl: warning: \(text)")
      case .cutShort: console.note("authctl: warning: \(event)")
      default: break
      }
    }
  }

  /// Takes header lines; nil without `-v`.
  var wire: (@Sendable (WireLine) -> Void)? {
    guard isShown else { return nil }
    return { wireLine in
      switch wireLine {
      case .note(let text): line("* " + Printable.text(text))
      case .sent(let text): line("> " + Redaction.headerLine(text, secretFields: secretFields))
      case .received(let text): line("< " + Redaction.headerLine(text, secretFields: secretFields))
      }
    }
  }

  private func line(_ text: String) {
    let milliseconds = Int(start.duration(to: ContinuousClock().now).seconds * 1000)
    let digits = String(milliseconds)
    console.note("[" + String(repeating: " ", count: max(0, 5 - digits.count)) + digits + " ms] " + text)
  }
}
