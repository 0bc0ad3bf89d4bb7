import AuthCore
import HTTPTypes

/// The output of `-v`: steps and header lines in order, with the time since the start, without secrets.
struct VerboseLog: Sendable {
  private let console: any Console
  /// The time from which the lines count.
  let start: ContinuousClock.Instant
  private let isShown: Bool
  private let showsNotes: Bool
  private let redaction: Redaction
  private let shown: ShownOnce
  private let isQuiet: Bool
  private let isColoured: Bool
  /// Records the steps for `--trace`; nil if nothing is recorded.
  let recorder: TraceRecorder?

  init(_ context: Context, tokenField: HTTPField.Name? = nil) {
    console = context.console
    start = context.start
    isShown = context.verbosity.verbose
    showsNotes = context.verbosity.tracesConnections
    isQuiet = context.verbosity.quiet
    isColoured = context.verbosity.colour.error && !context.verbosity.errorsAsJSON
    redaction = context.redaction
    shown = context.shownOnce
    recorder = context.trace.recorder
    if let tokenField { redaction.add(secretName: tokenField.canonicalName) }
  }

  /// Handles events: records them, and shows them: all of them with `-v`, else warnings only.
  var events: EventHandler {
    let shown = shownEvents(from: "")
    return { event in
      recorder?.handler(event)
      shown(event)
    }
  }

  /// Shows the events of a background refresh, which the output marks as such.
  var backgroundEvents: EventHandler { shownEvents(from: VerboseLog.background) }

  private static let background = "background: "

  private func shownEvents(from place: String) -> EventHandler {
    { event in
      if isShown {
        return line("* " + place + Escaped.line(redaction.knownValues("\(event)")), Kind(event))
      }
      guard !isQuiet else { return }
      switch event {
      case .warning(let text): console.note("authctl: warning: \(text)")
      case .cutShort: console.note("authctl: warning: \(event)")
      default: break
      }
    }
  }

  /// Handles header lines, and with `-vv` libcurl's notes; nil without `-v`.
  var wire: (@Sendable (WireLine) -> Void)? { wire(from: "") }

  /// Handles the lines of a background refresh as ``wire`` does; the output marks them as such.
  var backgroundWire: (@Sendable (WireLine) -> Void)? { wire(from: VerboseLog.background) }

  private func wire(from place: String) -> (@Sendable (WireLine) -> Void)? {
    guard isShown else { return nil }
    return { show($0, before: "", from: place) }
  }

  private func show(_ wireLine: WireLine, before mark: String, from place: String) {
    let line: (String, String, Kind) -> Void = { sign, text, kind in
      self.line(mark + sign + " " + place + text, kind)
    }
    switch wireLine {
    case .ofRequest(let number, let wireLine): show(wireLine, before: "#\(number) " + mark, from: place)
    case .note(let text):
      guard showsNotes else { return }
      line("*", Escaped.text(redaction.text(text)), .note)
    case .proxy(let text):
      line("*", Escaped.line(redaction.text(text)), .step)
    case .sent(let text):
      redaction.learn(headerLine: text)
      line(">", redaction.headerLine(text), .sent)
      decode(redaction.token(in: text), "token", line)
    case .received(let text):
      line("<", redaction.receivedLine(text), Kind(received: text))
    case .sentField(let name, let value):
      line(">", redaction.field(name, value, isWhole: showsNotes), .sent)
      decode(value, name, line)
    case .receivedMember(let name, let value):
      line("<", redaction.member(name, value, isWhole: showsNotes), .received)
      decode(value.string, name, line)
    case .sentBody(let text):
      guard showsNotes, !text.isEmpty else { return }
      line(">", body(text) { redaction.content($0) }, .sent)
    case .receivedBody(let text, let kinds):
      guard showsNotes, !text.isEmpty else { return }
      line("<", body(text) { redaction.issued($0) { _ in kinds } }, .received)
    case .bodyValue(let value, let isSent):
      line(isSent ? ">" : "<", redaction.bodyValue(value), isSent ? .sent : .received)
      decode(value.value.string, value.path, line)
    }
  }

  /// The size of a body in bytes up to which it is shown.
  private static let longestBody = 64 << 10

  private func body(_ text: String, _ redacted: (String) -> String) -> String {
    let size = text.utf8.count
    return size > VerboseLog.longestBody ? "a body of \(size) bytes" : Escaped.line(redacted(text))
  }

  /// Logs the header and the claims of a JWT with `-vv`, once for each token.
  private func decode(_ value: String?, _ name: String, _ line: (String, String, Kind) -> Void) {
    guard showsNotes, let value, let token = redaction.readable(value) else { return }
    let fingerprint = Secret(value).fingerprint
    guard shown.isFirst(fingerprint) else { return }
    let name = "\(Escaped.text(name, limit: 80)) \(fingerprint)"
    line("*", "\(name), header: \(token.header)", .note)
    line("*", "\(name), claims: \(token.claims)", .note)
  }

  /// Reports a step that is not an event of the library.
  func step(_ text: @autoclosure () -> String) {
    guard isShown || recorder != nil else { return }
    let text = text()
    recorder?.note(text)
    if isShown { line("* " + Escaped.line(text), .step) }
  }

  /// Reports that the browser opens the authorization page, or returns from it.
  func step(_ text: String, visiting url: String, fields: [(name: String, value: String)] = [], isReturn: Bool = false)
  {
    recorder?.note(text, visiting: url, fields: fields, isReturn: isReturn)
    if isShown { line("* " + Escaped.line(text), .step) }
  }

  /// What a line is about; its value is the parameter of the colour (ECMA-48, SGR).
  private enum Kind: String {
    case step = "1"
    case warning = "33"
    case note = "2"
    case sent = "36"
    case received = "32"
    case failure = "31"

    /// Returns the kind of a received header line: a status line has that of its class.
    init(received text: String) {
      let words = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
      let isStatus = words.count > 1 && words[0].starts(with: "HTTP/".utf8)
      switch isStatus ? words[1].first : nil {
      case UInt8(ascii: "1"), UInt8(ascii: "3"): self = .step
      case UInt8(ascii: "4"): self = .warning
      case UInt8(ascii: "5"): self = .failure
      default: self = .received
      }
    }

    init(_ event: AuthEvent) {
      switch event {
      case .warning, .clockDiffers, .cutShort, .refreshFailed, .retrying, .refusedAgain, .loginRequired: self = .warning
      default: self = .step
      }
    }
  }

  private func line(_ text: String, _ kind: Kind) {
    let milliseconds = Int(start.duration(to: ContinuousClock().now).seconds * 1000)
    let digits = String(milliseconds)
    let time = "[" + String(repeating: " ", count: max(0, 5 - digits.count)) + digits + " ms] "
    guard isColoured else { return console.note(time + text) }
    console.draw(time + Escaped.lines(text).tinted(kind.rawValue) + "\n")
  }
}
