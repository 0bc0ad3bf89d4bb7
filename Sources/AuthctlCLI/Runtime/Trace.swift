import AuthCore
import HTTPTypes
import Synchronization

/// What `-v` tells: steps and header lines in their order, with the time since the start, without secrets.
struct Trace: Sendable {
  private let console: any Console
  private let start = ContinuousClock().now
  private let secretFields: Set<String>
  private let isShown: Bool
  private let showsNotes: Bool
  private let known = KnownSecrets()
  private let isQuiet: Bool

  init(_ settings: Settings, _ context: Context, tokenField: HTTPField.Name? = nil) {
    console = context.console
    isShown = settings.verbose
    showsNotes = settings.tracesConnections
    isQuiet = settings.quiet
    secretFields = Set(tokenField.map { [$0.canonicalName] } ?? [])
  }

  /// Takes events: all of them with `-v`, else warnings only.
  var events: EventSink {
    { event in
      if isShown { return line("* " + Printable.line(known.redacting("\(event)"))) }
      guard !isQuiet else { return }
      switch event {
      case .warning(let text): console.note("authctl: warning: \(text)")
      case .cutShort: console.note("authctl: warning: \(event)")
      default: break
      }
    }
  }

  /// Takes header lines, and with `-vv` libcurl's own notes; nil without `-v`.
  var wire: (@Sendable (WireLine) -> Void)? {
    guard isShown else { return nil }
    return { wireLine in
      switch wireLine {
      case .note(let text):
        guard showsNotes else { return }
        line("* " + Printable.text(SecretText.redacted(known.redacting(text))))
      case .sent(let text):
        if let field = Redaction.secret(in: text, secretFields: secretFields) { known.add(field.value) }
        line("> " + Redaction.headerLine(text, secretFields: secretFields))
      case .received(let text):
        line("< " + Redaction.headerLine(known.redacting(text), secretFields: secretFields))
      }
    }
  }

  private func line(_ text: String) {
    let milliseconds = Int(start.duration(to: ContinuousClock().now).seconds * 1000)
    let digits = String(milliseconds)
    console.note("[" + String(repeating: " ", count: max(0, 5 - digits.count)) + digits + " ms] " + text)
  }
}

/// The credentials that were sent: wherever they come back, they are not shown.
private final class KnownSecrets: Sendable {
  /// What is shorter may be a word of any text.
  private static let shortest = 8
  /// As many as a login and its calls use, and more.
  private static let most = 32

  private let values = Mutex<[String]>([])

  func add(_ value: Substring) {
    guard value.utf8.count >= KnownSecrets.shortest else { return }
    values.withLock { values in
      guard values.count < KnownSecrets.most, !values.contains(String(value)) else { return }
      values.append(String(value))
    }
  }

  func redacting(_ text: String) -> String {
    values.withLock { $0 }.reduce(text) { $0.replacing($1, with: "‹redacted›") }
  }
}
