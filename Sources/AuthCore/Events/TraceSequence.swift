/// A trace as a sequence diagram: who took part, and what passed between them in the order of time.
package struct TraceSequence: Sendable, Equatable {
  /// A process, a store or a server that took part.
  package struct Lane: Sendable, Hashable {
    /// What it is, in the order in which lanes are drawn.
    package enum Kind: Int, Sendable {
      case program, background, storage, browser, server, api, others
    }

    /// What it is.
    package let kind: Kind
    /// What it is called.
    package let name: String
    /// The host and port of a server; empty for other lanes.
    package var host = ""

    /// The name in one word, for a diagram with little room.
    package var shortName: String {
      switch kind {
      case .program, .storage, .browser, .api: name
      case .background: "refresh"
      case .server: "server"
      case .others: "others"
      }
    }
  }

  /// How a step is to be seen.
  package enum Tone: String, Sendable {
    case request, success, plain, warning, failure
  }

  /// An arrow between two lanes, or a note over one.
  package struct Step: Sendable, Equatable {
    /// What is drawn, with the positions of its lanes.
    package enum Form: Sendable, Equatable {
      case arrow(from: Int, to: Int)
      case note(over: Int)
    }

    /// The position of the entry in the trace.
    package let entry: Int
    /// The seconds from the start of the recording.
    package let time: Double
    /// What is drawn.
    package internal(set) var form: Form
    /// Whether it is the response to a request, or its failure.
    package let isReply: Bool
    /// Whether there was no response.
    package let isLost: Bool
    /// The role of its colour.
    package let tone: Tone
    /// The text on one line without control characters; each token is in it as ``TraceText`` describes.
    package let text: String
  }

  /// The lanes from left to right.
  package let lanes: [Lane]
  /// The steps in the order of time.
  package let steps: [Step]

  /// Arranges the steps of a trace.
  ///
  /// - Parameter program: what the lane of this program is called.
  package init(_ entries: [TraceEntry], program: String) {
    let names = TraceNames(program: Escaped.text(program, limit: 40))
    let numbers = TraceSequence.numbers(entries)
    var drafts: [TraceDraft] = []
    var known = TraceSequence.KnownTokens()
    for (index, entry) in entries.enumerated() {
      var draft = TraceDrafts(entry: index, time: entry.start, actor: names.actor(entry), names: names)
      switch entry.step {
      case .exchange(let exchange):
        draft.add(exchange, number: numbers[index])
      case .visit(let visit): draft.add(visit)
      case .event(let event) where known.repeats(event, inBackground: entry.isInBackground): continue
      case .event(.loaded(let access?, _)) where TraceSequence.uses(access, next: entries[index...].dropFirst()):
        continue
      case .event(let event): draft.add(event, at: entry.time)
      case .note(let text): draft.note(Escaped.text(text), .plain)
      }
      drafts += draft.drafts
    }
    let ordered = drafts.enumerated().sorted { ($0.element.step.time, $0.offset) < ($1.element.step.time, $1.offset) }
    drafts = ordered.map(\.element)
    let lanes = TraceSequence.lanes(of: drafts)
    let places = Dictionary(uniqueKeysWithValues: lanes.enumerated().map { ($1, $0) })
    self.lanes = lanes
    steps = drafts.compactMap { draft in
      guard let from = places[draft.from] else { return nil }
      var step = draft.step
      step.form = draft.to.flatMap { places[$0] }.map { .arrow(from: from, to: $0) } ?? .note(over: from)
      return step
    }
  }

  /// Returns whether a stored token is used in the next step, which says so, too.
  private static func uses(_ access: String, next entries: ArraySlice<TraceEntry>) -> Bool {
    guard case .event(.usable(access, _))? = entries.first?.step else { return false }
    return true
  }

  /// What was last said of the stored token and of the one that is used, by each process.
  private struct KnownTokens {
    private var stored: [Bool: String] = [:]
    private var used: [Bool: String] = [:]

    /// Returns whether an event says only what is known.
    mutating func repeats(_ event: AuthEvent, inBackground: Bool) -> Bool {
      switch event {
      case .loaded(let access?, _): return stored.updateValue(access, forKey: inBackground) == access
      case .usable(let access, _): return used.updateValue(access, forKey: inBackground) == access
      case .saved, .putBack, .cleared, .adopted: self = KnownTokens()
      default: break
      }
      return false
    }
  }

  /// Returns the lanes that occur: by their kind, servers of the same kind as they first occur.
  private static func lanes(of drafts: [TraceDraft]) -> [Lane] {
    var lanes: [Lane] = []
    var seen: Set<Lane> = []
    for lane in drafts.flatMap({ [$0.from] + ($0.to.map { [$0] } ?? []) }) where seen.insert(lane).inserted {
      lanes.append(lane)
    }
    return lanes.sorted { $0.kind.rawValue < $1.kind.rawValue }
  }

  /// Returns the numbers of the requests in the order of time, by the positions of their entries; none if each response
  /// was received before the next request was sent.
  private static func numbers(_ entries: [TraceEntry]) -> [Int: Int] {
    var numbers: [Int: Int] = [:]
    var end = 0.0
    var isMixed = false
    let requests = entries.enumerated().compactMap { index, entry -> (sent: Double, end: Double, index: Int)? in
      guard case .exchange(let exchange) = entry.step else { return nil }
      return (entry.start + exchange.opening, entry.start + exchange.seconds, index)
    }
    for request in requests.sorted(by: { ($0.sent, $0.index) < ($1.sent, $1.index) }) {
      numbers[request.index] = numbers.count + 1
      isMixed = isMixed || request.sent < end
      end = max(end, request.end)
    }
    return isMixed ? numbers : [:]
  }
}

extension TraceEntry {
  /// The seconds until the step's beginning, as a usable number.
  package var start: Double { offset.isFinite ? max(0, offset) : 0 }
}

extension TraceExchange {
  /// The seconds from the request until the end of the response, as a usable number.
  package var seconds: Double { timings.total.isFinite ? max(0, timings.total) / 1000 : 0 }

  /// The seconds until the connection was open, as a usable number: only then is the request sent.
  package var opening: Double {
    let phases = [timings.dns, timings.connect, timings.tls].compactMap { $0 }.filter { $0.isFinite && $0 > 0 }
    return min(phases.reduce(0, +) / 1000, seconds)
  }

  /// The status with its standard phrase: `404 Not Found`.
  package var statusLine: String {
    let phrase = ReasonPhrase.standard(for: status)
    return phrase.isEmpty ? "\(status)" : "\(status) \(phrase)"
  }

  /// The host and port of the URL.
  package var host: String {
    let origin = (try? WebURL(url))?.origin
    return origin.map { String($0.string.dropFirst("\($0.scheme.rawValue)://".count)) } ?? "unknown host"
  }

  /// The path of the URL without the query, which may hold secrets.
  package var path: String { (try? WebURL(url))?.path ?? "" }

  /// The fingerprints of the tokens and codes that were sent, without cookies and proofs.
  package var sentTokens: [String] {
    let fields = requestFields.filter { !["cookie", "dpop", "proxy-authorization"].contains($0.name.lowercased()) }
    return TraceText.fingerprints(in: fields.map(\.value) + sentValues)
  }

  /// The values of a token request that may be tokens, or the whole body of another request.
  private var sentValues: [String] {
    guard let text = requestBody?.text else { return [] }
    guard grant != nil else { return [text] }
    let proofs = ["client_assertion", "code_verifier"]
    return FormEncoding.decode(text).filter { !proofs.contains($0.name) }.map(\.value)
  }

  /// The fingerprints of the tokens that the authorization server returned, each with its marks and its kind.
  package var receivedTokens: [String] {
    guard role == .server, let text = responseBody?.text else { return [] }
    let fingerprints = TraceText.fingerprints(in: [text])
    guard !fingerprints.isEmpty else { return [] }
    var kinds: [String: String] = [:]
    // A body that is cut, or is not JSON, names none.
    if let document = try? JSONValue(parsing: text.utf8) { TraceExchange.collect(&kinds, in: document, named: "") }
    return fingerprints.map { TraceText.mark($0, kind: kinds[$0]) }
  }

  /// Collects the kinds of the tokens in a document by their fingerprints: `access` for a member `access_token`.
  static func collect(_ kinds: inout [String: String], in value: JSONValue, named name: String) {
    switch value {
    case .string(let text):
      let whole = name.lowercased()
      let kind = String(whole.dropping(suffix: "_token") ?? whole.dropping(suffix: "token") ?? whole[...])
      guard kind.wholeMatch(of: /[a-z0-9_-]{1,20}/) != nil else { return }
      for fingerprint in TraceText.fingerprints(in: [text]) { kinds[fingerprint] = kinds[fingerprint] ?? kind }
    case .array(let values): for value in values { collect(&kinds, in: value, named: name) }
    case .object(let members):
      for (name, value) in members.sorted(by: { $0.key < $1.key }) { collect(&kinds, in: value, named: name) }
    default: break
    }
  }

  /// The grant type of a token request; nil for any other request.
  package var grant: String? {
    guard role == .server, let body = requestBody?.text else { return nil }
    return FormEncoding.decode(body).first { $0.name == "grant_type" }?.value
  }

  /// The error code in the response of the authorization server (RFC 6749, section 5.2); nil if there is none.
  package var errorCode: String? {
    guard role == .server, status >= 400, let text = responseBody?.text else { return nil }
    return (try? JSONValue(parsing: text.utf8))?["error"]?.string
  }
}
