import FoundationEssentials
import Synchronization

/// Records a trace: each HTTP request with its response, and each step of the session.
///
/// ```swift
/// let recorder = TraceRecorder()
/// let transport = recorder.recording(CurlTransport())
/// settings.onEvent = recorder.handler
/// ```
///
/// Secrets are replaced when a step is recorded, unless the recorder keeps them. See <doc:LoggingRequests>.
public final class TraceRecorder: Sendable {
  /// A request that has not ended.
  private struct Open {
    let transfer: ObservedTransfer
    let view: TraceTransfer
    /// Its position in the trace. One that waits for its token comes after the requests for the token.
    var number: Int?
  }

  private struct State {
    var last = 0
    var entries: [TraceEntry] = []
    var omitted = 0
    var open: [Open] = []
    var isFinished = false
  }

  /// The number of steps that are kept unless the initializer is given another one.
  public static let standardLimit = 300

  private let limit: Int
  private let redaction: Redaction?
  private let isInBackground: Bool
  private let receive: (@Sendable (TraceEntry) -> Void)?
  /// Whether secrets are recorded as they are.
  package var keepsSecrets: Bool { redaction == nil }

  private let process = ProcessInfo.processInfo.processIdentifier
  private let startTime: Date
  private let start: ContinuousClock.Instant
  private let state = Mutex(State())

  /// Creates an empty recorder.
  ///
  /// - Parameter keepsSecrets: whether tokens, passwords and other secrets are recorded as they are.
  /// - Parameter secretNames: names of further header fields, parameters and JSON members whose values are secrets.
  /// - Parameter limit: the number of steps that are kept; of further ones only the number is known.
  public convenience init(
    keepsSecrets: Bool = false, secretNames: [String] = [], limit: Int = TraceRecorder.standardLimit
  ) {
    self.init(redaction: keepsSecrets ? nil : Redaction(secretNames: secretNames), limit: limit)
  }

  /// Creates an empty recorder.
  ///
  /// - Parameters:
  ///   - redaction: replaces secrets; nil if they are kept.
  ///   - isInBackground: whether this process is the background refresh.
  ///   - start: the moment from which the steps' times count.
  ///   - receive: receives each entry when it is complete, from any thread.
  package init(
    redaction: Redaction?, limit: Int, isInBackground: Bool = false, start: ContinuousClock.Instant = .now,
    receive: (@Sendable (TraceEntry) -> Void)? = nil
  ) {
    self.limit = limit
    self.redaction = redaction
    self.isInBackground = isInBackground
    self.start = start
    startTime = Date().addingTimeInterval(-start.duration(to: .now).seconds)
    self.receive = receive
  }

  // MARK: - What is recorded

  /// Wraps a transport: each request that it sends is recorded.
  public func recording(_ transport: any HTTPTransport) -> any HTTPTransport {
    ObservedTransport(transport, observer)
  }

  /// Records each event that it receives.
  public var handler: EventHandler {
    { [self] event in
      let shown = redaction.map { redaction in event.changingTexts { redaction.text($0) } } ?? event
      add(.event(shown))
    }
  }

  /// Records a step of the program, such as "opened the browser".
  public func note(_ text: String) {
    add(.note(redaction?.text(text) ?? text))
  }

  /// Records that the browser opens the authorization page, or returns from it.
  ///
  /// - Parameters:
  ///   - text: the step as text.
  ///   - fields: the fields of the authorization request.
  package func note(
    _ text: String, visiting url: String, fields: [(name: String, value: String)] = [], isReturn: Bool = false
  ) {
    let shown = fields.map { name, value in
      TraceExchange.Field(name: name, value: redaction?.parameter(name, value) ?? value)
    }
    add(
      .visit(
        TraceVisit(
          note: redaction?.text(text) ?? text, url: redaction?.text(url) ?? url, fields: shown, isReturn: isReturn)))
  }

  /// Records an entry of another process; only its number and its offset change.
  package func add(_ entry: TraceEntry) {
    var entry = entry
    entry.number = next()
    entry.offset = entry.time.timeIntervalSince(startTime)
    keep(entry)
  }

  /// Records the requests that are still without a response as interrupted, and nothing after that.
  package func finish() {
    for open in state.withLock(\.open) {
      end(open.view, open.transfer.record, failure: "interrupted: there was no complete response yet")
    }
    state.withLock { $0.isFinished = true }
  }

  // MARK: - What was recorded

  /// The recorded steps in the order in which they began, at most the limit.
  package var entries: [TraceEntry] {
    state.withLock(\.entries).sorted { ($0.offset, $0.number) < ($1.offset, $1.number) }
  }

  /// Returns the recorded steps, at the end of which a note states how many were not kept.
  package func entries(notingOmitted: Bool) -> [TraceEntry] {
    let entries = entries
    guard notingOmitted, omittedCount > 0, var last = entries.last else { return entries }
    last.number += 1
    last.step = .note("\(omittedCount) more steps are not shown")
    return entries + [last]
  }

  /// The number of recorded steps that were not kept.
  public var omittedCount: Int { state.withLock(\.omitted) }

  /// Returns the requests as an HTTP archive (HAR 1.2), which the developer tools of browsers open.
  ///
  /// - Parameter creator: the name of the program in the archive.
  public func har(creator: String = "AuthCore") -> String {
    let archive = HTTPArchive(creator: creator, version: "1")
    let entries = entries.compactMap { archive.entry($0) }
    return archive.start + entries.joined(separator: ",") + archive.end
  }

  /// Returns the trace as a sequence diagram for Mermaid, which issues and wikis draw.
  ///
  /// - Parameter program: the name of the program in the diagram.
  public func mermaid(program: String = "program") -> String {
    TraceSequence(entries, program: program).mermaid()
  }

  /// Records each request that it observes; none after the end.
  package var observer: TransferObserver {
    { [self] transfer in
      guard !state.withLock(\.isFinished) else { return nil }
      let view = TraceTransfer(transfer.transfer, redaction: redaction)
      state.withLock { $0.open.append(Open(transfer: transfer, view: view)) }
      return TransferView(
        ready: { [self] _ in number(view) }, line: { _ in }, sent: { view.prepare($0) },
        ended: { [self] record in end(view, record, failure: record.failure) })
    }
  }

  private func number(_ view: TraceTransfer) {
    let number = next()
    state.withLock { state in
      guard let index = state.open.firstIndex(where: { $0.view === view }) else { return }
      state.open[index].number = state.open[index].number ?? number
    }
  }

  /// Records a request, once. One that was not sent because there was no token for it is left out.
  private func end(_ view: TraceTransfer, _ record: TransferRecord, failure: String?) {
    let open = state.withLock { state in
      state.open.firstIndex { $0.view === view }.map { state.open.remove(at: $0) }
    }
    guard let open, !record.isWithheld else { return }
    let (exchange, begun) = view.exchange(record, failure: failure)
    keep(entry(open.number ?? next(), begun, .exchange(exchange)))
  }

  private func add(_ step: TraceEntry.Step) {
    keep(entry(next(), .now, step))
  }

  private func entry(_ number: Int, _ begun: ContinuousClock.Instant, _ step: TraceEntry.Step) -> TraceEntry {
    let offset = start.duration(to: begun).seconds
    return TraceEntry(
      number: number, time: startTime.addingTimeInterval(offset), offset: offset, process: process,
      isInBackground: isInBackground, step: step)
  }

  private func next() -> Int {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  private func keep(_ entry: TraceEntry) {
    let isKept = state.withLock { state in
      guard !state.isFinished else { return false }
      if state.entries.count < limit { state.entries.append(entry) } else { state.omitted += 1 }
      return true
    }
    if isKept { receive?(entry) }
  }
}

extension TransferRecord {
  /// Why there was no response, as text; nil if there was one.
  fileprivate var failure: String? {
    guard case .failure(let error)? = outcome else { return nil }
    return error is CancellationError ? "interrupted" : "\(error)"
  }
}
