import FoundationEssentials

/// The names of the lanes that are not servers.
struct TraceNames: Sendable {
  /// The name of this program.
  let program: String

  /// Returns the lane of the process that did a step.
  func actor(_ entry: TraceEntry) -> TraceSequence.Lane {
    entry.isInBackground
      ? TraceSequence.Lane(kind: .background, name: "background refresh")
      : TraceSequence.Lane(kind: .program, name: program)
  }

  /// The lane of the store.
  var store: TraceSequence.Lane { TraceSequence.Lane(kind: .storage, name: "token store") }

  /// The lane of the browser in which the user logs in.
  var browser: TraceSequence.Lane { TraceSequence.Lane(kind: .browser, name: "browser") }

  /// The lane of other processes that use the same session.
  var others: TraceSequence.Lane { TraceSequence.Lane(kind: .others, name: "other processes") }

  /// Returns the lane of the server of a request.
  func server(_ exchange: TraceExchange) -> TraceSequence.Lane {
    switch exchange.role {
    case .server: TraceSequence.Lane(kind: .server, name: "authorization server", host: exchange.host)
    case .api: TraceSequence.Lane(kind: .api, name: "API", host: exchange.host)
    }
  }
}

/// A step of a diagram whose lanes have no positions yet.
struct TraceDraft: Sendable {
  /// The step, as a note over the first lane.
  var step: TraceSequence.Step
  /// The lane of a note, or the one that an arrow starts from.
  let from: TraceSequence.Lane
  /// The lane that an arrow ends at; nil for a note.
  let to: TraceSequence.Lane?
}

/// The drafts of the steps that one entry of a trace becomes.
struct TraceDrafts: Sendable {
  private let entry: Int
  private let time: Double
  private let actor: TraceSequence.Lane
  private let names: TraceNames
  /// The drafts, in the order in which they were added.
  private(set) var drafts: [TraceDraft] = []

  /// Starts without a draft.
  ///
  /// - Parameters:
  ///   - entry: the position of the entry in the trace.
  ///   - time: the seconds from the start of the recording until its beginning.
  ///   - actor: the lane of the process that did it.
  ///   - names: the names of the other lanes.
  init(entry: Int, time: Double, actor: TraceSequence.Lane, names: TraceNames) {
    (self.entry, self.time, self.actor, self.names) = (entry, time, actor, names)
  }

  /// Adds a request and its response or failure.
  ///
  /// - Parameter number: the number that connects the two; nil if the response follows the request.
  mutating func add(_ exchange: TraceExchange, number: Int?) {
    let mark = number.map { "(\($0)) " } ?? ""
    let server = names.server(exchange)
    let line = "\(exchange.method) \(exchange.path)"
    let grant = exchange.grant.map { " (\($0))" } ?? ""
    let request = mark + Escaped.text(line + grant, limit: 200) + tokens(exchange.sentTokens.map { TraceText.mark($0) })
    let end = time + exchange.seconds
    append(from: actor, to: server, .request, request, at: time + exchange.opening)

    if let failure = exchange.failure {
      append(
        from: server, to: actor, .failure, mark + "no response: " + Escaped.text(failure), at: end, isReply: true,
        isLost: true)
    } else {
      let error = exchange.errorCode.map { ": " + Escaped.text($0, limit: 60) } ?? ""
      append(
        from: server, to: actor, exchange.status < 400 ? .success : exchange.status < 500 ? .warning : .failure,
        mark + exchange.statusLine + error + tokens(exchange.receivedTokens), at: end, isReply: true)
    }
  }

  /// Adds an authorization request of the browser, or its return.
  mutating func add(_ visit: TraceVisit) {
    let server = TraceSequence.Lane(kind: .server, name: "authorization server", host: visit.host)
    append(
      from: names.browser, to: visit.isReturn ? actor : server, visit.isReturn ? .success : .request,
      Escaped.text(visit.line, limit: 600))
  }

  /// Adds an event: an arrow if it passed between the process and the store or other processes, else a note.
  mutating func add(_ event: AuthEvent, at date: Date) {
    switch event {
    case .loaded(let access?, let expiresAt):
      append(
        from: names.store, to: actor, .plain, "stored token \(token(access)), \(expiry(expiresAt, at: date))")
    case .loaded: append(from: names.store, to: actor, .plain, "no stored tokens")
    case .saved(let access): append(from: actor, to: names.store, .plain, "store token \(token(access))")
    case .putBack(let access):
      append(from: actor, to: names.store, .plain, "store token \(token(access)), kept since its refresh")
    case .cleared: append(from: actor, to: names.store, .plain, "remove the stored tokens")
    case .waiting: append(from: actor, to: names.others, .plain, "wait for the refresh of another process")
    case .adopted(let access, let process, let age):
      let origin = process.map { "refreshed by \($0)" } ?? "stored"
      let distance = age.map { " \(DurationText.describe($0)) ago" } ?? ""
      append(from: names.others, to: actor, .success, "token \(token(access)), \(origin)\(distance)")
    case .usable(let access, let reason):
      append(from: names.store, to: actor, .plain, "stored token \(token(access)): \(Escaped.text(reason))")
    case .refreshed(let access, let rotated, let expiresAt):
      let refresh = "refresh token \(rotated ? "rotated" : "kept")"
      note("refreshed: token \(token(access)), \(expiry(expiresAt, at: date)), \(refresh)", .success)
    case .cached(let access, let seconds):
      note("token \(token(access)) cached for \(DurationText.describe(Double(seconds)))", .plain)
    case .refreshing, .pausing, .retryingWithNonce, .discovered, .revoked, .notCached:
      note(Escaped.text(event.description), .plain)
    case .cutShort, .retrying, .replaying, .refusedAgain, .clockDiffers, .warning:
      note(Escaped.text(event.description), .warning)
    case .refreshFailed, .loginRequired: note(Escaped.text(event.description), .failure)
    }
  }

  /// Adds a note over the process.
  mutating func note(_ text: String, _ tone: TraceSequence.Tone) { append(from: actor, to: nil, tone, text) }

  private mutating func append(
    from: TraceSequence.Lane, to: TraceSequence.Lane?, _ tone: TraceSequence.Tone, _ text: String,
    at time: Double? = nil,
    isReply: Bool = false, isLost: Bool = false
  ) {
    let step = TraceSequence.Step(
      entry: entry, time: time ?? self.time, form: .note(over: 0), isReply: isReply, isLost: isLost, tone: tone,
      text: text)
    drafts.append(TraceDraft(step: step, from: from, to: to))
  }

  private func token(_ fingerprint: String) -> String { TraceText.mark(Escaped.text(fingerprint, limit: 16)) }

  private func tokens(_ marks: [String]) -> String { marks.prefix(TraceText.most).map { " " + $0 }.joined() }

  private func expiry(_ date: Date?, at now: Date) -> String {
    guard let seconds = date?.timeIntervalSince(now) else { return "expiry unknown" }
    return seconds > 0
      ? "expires in \(DurationText.describe(seconds))" : "expired \(DurationText.describe(since: seconds)) ago"
  }
}
