import AuthCore

/// The checks of the way to the servers, by the requests that other checks have sent: clock, DNS, proxy, TLS.
struct ConnectionChecks: Sendable {
  /// The profile.
  let profile: Profile
  /// The origins of the authorization server; the others are those of the API.
  let servers: Set<Origin>
  /// The requests that were sent.
  let records: [RequestLog.Record]
  /// The proxy of each origin that has one.
  let proxies: ProxySettings

  /// Returns the results.
  func findings() -> [DoctorFinding] {
    let failures = origins.compactMap { origin in failure(of: origin).map { finding($0, of: origin) } }
    return clock + failures + successes(failing: failures)
  }

  private var origins: [Origin] {
    records.reduce(into: []) { known, record in
      if !known.contains(record.origin) { known.append(record.origin) }
    }
  }

  /// Returns the error of an origin from which no response has arrived.
  private func failure(of origin: Origin) -> TransportError? {
    let ended = records.filter { $0.origin == origin }
    return ended.contains { $0.error == nil } ? nil : ended.first?.error
  }

  /// The clock of the authorization server; that of the API if it states no time.
  private var clock: [DoctorFinding] {
    let dated = records.filter { $0.clock != nil }
    guard let record = dated.first(where: { servers.contains($0.origin) }) ?? dated.first, let clock = record.clock
    else { return [] }
    guard let warning = clock.warning else { return [.ok(.clock, "it matches the clock of \(record.origin.host)")] }
    return [.warning(.clock, warning, hint: "run: timedatectl set-ntp true")]
  }

  private func finding(_ error: TransportError, of origin: Origin) -> DoctorFinding {
    let edit = "authctl profile edit \(profile.name)"
    switch error {
    case .unresolved("the proxy", _): return proxyFailure(error, origin)
    case .unresolved(let host, _):
      return .error(
        .dns, error.description, hint: "check the name and the network; run: getent hosts \(ShellWord.quoted(host))",
        status: .tryLater)
    case .tls(let detail):
      return .error(
        .tls, AuthError.tryLater("\(origin)", why: detail, remedy: .trustCertificate), hint: "run: \(edit)")
    case .exposed:
      return .error(
        .proxy, error.description, hint: "use https, or remove what leads away from this machine; run: \(edit)",
        status: .origin)
    case .unusable(let detail):
      return .error(.settings, detail, hint: "check the files in [network]; run: \(edit)", status: .failed)
    default:
      guard proxies.proxy(of: origin) == nil else { return proxyFailure(error, origin) }
      return .error(
        servers.contains(origin) ? .connection : .api, "\(origin): \(ConnectionChecks.reason(error, origin))",
        hint: "check the address and the network; run: curl -v \(ShellWord.quoted(origin.string + "/"))",
        status: .tryLater)
    }
  }

  private func proxyFailure(_ error: TransportError, _ origin: Origin) -> DoctorFinding {
    let proxy = proxies.proxy(of: origin)
    let name = proxy.map { "\($0.url) (\($0.source))" } ?? "set"
    return .error(
      .proxy, "\(origin) can't be reached through the proxy \(name): \(ConnectionChecks.reason(error, origin))",
      hint: "start the proxy, or remove it: "
        + (proxy?.variable.map { "unset \($0)" } ?? "authctl profile edit \(profile.name)"),
      status: .tryLater)
  }

  /// Returns the reason without the host at its start, which the message names.
  private static func reason(_ error: TransportError, _ origin: Origin) -> String {
    let text = error.description
    return text.dropping(prefix: "\(origin.host): ").map(String.init) ?? text
  }

  private func successes(failing failures: [DoctorFinding]) -> [DoctorFinding] {
    let reached = origins.filter { failure(of: $0) == nil }
    let direct = reached.filter { proxies.proxy(of: $0) == nil && $0.hasName }
    let proxied = Set(reached.compactMap { proxies.proxy(of: $0)?.url }).sorted()
    let secure = reached.filter { $0.scheme == .https }
    var findings: [DoctorFinding] = []
    func add(_ check: DoctorCheck, _ items: [String], _ message: (String) -> String) {
      guard !items.isEmpty, !failures.contains(where: { $0.check == check }) else { return }
      findings.append(.ok(check, message(items.joined(separator: ", "))))
    }
    add(.dns, direct.map(\.host)) { "\($0) found" }
    add(.proxy, proxied) { "\($0) works" }
    add(.connection, reached.filter(servers.contains).map(\.string)) { "\($0) responds" }
    add(.tls, secure.map(\.host)) { "the certificate of \($0) is trusted" }
    return findings
  }
}

extension Origin {
  /// Whether the host has to be looked up: it is not an address.
  fileprivate var hasName: Bool { !host.drop(anyOf: "0123456789.").isEmpty && !host.starts(withBytes: "[") }
}
