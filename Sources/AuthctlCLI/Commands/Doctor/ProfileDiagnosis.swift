import AuthCore
import SystemPackage

/// The checks of one profile. Those that do not depend on each other run at the same time.
struct ProfileDiagnosis: Sendable {
  private let name: ProfileName
  private let context: Context
  private let isOffline: Bool

  /// - Parameter isOffline: whether no request is sent.
  init(_ name: ProfileName, _ context: Context, isOffline: Bool) {
    self.name = name
    self.context = context
    self.isOffline = isOffline
  }

  /// Returns the results, which name the profile.
  func findings() async -> [DoctorFinding] {
    let findings: [DoctorFinding]
    do throws(AuthError) {
      findings = try await read()
    } catch {
      findings = [.error(.files, error)]
    }
    return findings.map { finding in
      var finding = finding
      finding.profile = name
      return finding
    }
  }

  private func read() async throws(AuthError) -> [DoctorFinding] {
    let file = context.profiles.file(of: name).string
    guard let text = try context.profiles.text(of: name) else { return [] }
    let profile: Profile
    let outline: ProfileOutline
    do throws(AuthError) {
      profile = try ProfileChoice(context, requiringFiles: false).profile(named: name)
      outline = try ProfileOutline(toml: text, file: file, name: name)
    } catch {
      return [.error(.settings, error, hint: "run: authctl profile edit \(name)")]
    }
    let (report, findings) = await checked(profile)
    let checks = ProfileChecks(
      file: file, absolute: context.profiles.paths, credentials: context.credentials, outline: outline,
      overview: ProfileOverview(outline, report), report: report)
    return findings + settings(checks.findings)
  }

  /// Checks everything but the settings; returns the server's metadata with the results.
  private func checked(_ profile: Profile) async -> (DiscoveryReport?, [DoctorFinding]) {
    let log = VerboseLog(context, tokenField: profile.header.name)
    let requests = RequestLog(context)
    let known = context.observing(requests.observer).server(profile, log)
    var connection = known.connection
    let end = ContinuousClock.now + context.checkTime
    connection.end = end
    let server = known.with(connection: connection)
    let sessionChecks = SessionChecks(server: server, context: context, log: log)
    async let machine = store(profile) + lock(profile)
    async let stored = sessionChecks.stored()
    guard !isOffline else {
      let session = await stored
      let port = RedirectChecks(server: server, context: context).port()
      let scope = session.pair.map { ClaimChecks(profile, $0, context).findings(.scope) } ?? []
      return (nil, await machine + port + scope + sessionChecks.findings(session))
    }
    async let api = APIChecks(server: server).responses()
    let checks = ServerChecks(server: server, context: context, requests: requests)
    async let found = checks.metadata()
    let session = await stored
    let left = ContinuousClock.now.duration(to: end)
    async let trial = TimeLimit.run(left) { await sessionChecks.trial(session) } ?? nil
    var online: [DoctorFinding] = []
    // The checks of the client read the keyring, too: they are left out if it does not respond.
    if !session.isSilent {
      let metadata = await found
      let left = ContinuousClock.now.duration(to: end)
      online = await TimeLimit.run(left) { await checks.findings(metadata, session.pair) } ?? []
    }
    let responses = await api
    let tried = await trial
    let way = ConnectionChecks(
      profile: profile, servers: checks.origins(await found), records: requests.records,
      proxies: ProxySettings(network: profile.network, environment: context.environment))
    let claims = session.pair.map { ClaimChecks(profile, $0, context) }
    let scope = ScopeChecks(profile: profile, claims: claims, responses: responses, trial: tried)
    return (
      await found.report,
      await machine + online + way.findings() + timeout(end, requests.records) + scope.findings()
        + sessionChecks.findings(session)
        + APIChecks(server: server).findings(responses, tried)
    )
  }

  /// Reports that the time was up although every server has responded: some requests may not have been sent.
  private func timeout(
    _ end: ContinuousClock.Instant, _ records: [RequestLog.Record]
  ) -> [DoctorFinding] {
    guard end <= .now, records.allSatisfy({ $0.error == nil }) else { return [] }
    return [
      .warning(
        .connection, "the time was up before all requests were sent", hint: "try again: authctl doctor \(name)")
    ]
  }

  /// Opens the session file, and proves that it can be written. Neither it nor a refresh is disturbed.
  private func store(_ profile: Profile) async -> [DoctorFinding] {
    guard profile.store == .file, let store = context.store(of: profile) as? SealedFileStore else { return [] }
    do throws(AuthError) {
      _ = try await store.load(SecretItem(profile: name.string, kind: .tokens))
      try await store.proveWritable()
      return [.ok(.store, "\(store.file) can be opened with its key, and written")]
    } catch {
      return [.error(.store, error, isNamed: true)]
    }
  }

  /// Locks the file for a moment as a reader does, which disturbs no refresh.
  private func lock(_ profile: Profile) async -> [DoctorFinding] {
    guard !profile.isOnDemand else { return [] }
    do throws(AuthError) {
      let isFree = try await context.lock(name).withLock(.shared, deadline: .zero) { _ throws(AuthError) in true }
      return isFree == nil ? [.ok(.lock, "held by another process: a refresh or a login is under way")] : []
    } catch {
      return [.error(.lock, error)]
    }
  }

  /// Returns the findings about the profile's settings, those with the same message as one.
  private func settings(_ findings: [ProfileFinding]) -> [DoctorFinding] {
    // The check of the server reports a failed discovery.
    let groups = ProfileFinding.groups(findings.filter { $0.about != "discovery" })
    let shown = groups.map { keys, finding -> DoctorFinding in
      let more = keys.count > 3 ? " and \(keys.count - 3) more" : ""
      let message = "\(keys.prefix(3).joined(separator: ", "))\(more): \(finding.message)"
      // The hint about a mode is a command itself.
      let hint =
        finding.hint.starts(withBytes: "chmod") ? finding.hint : "\(finding.hint); run: authctl profile edit \(name)"
      guard finding.level == .error else {
        return .warning(finding.about == "file" ? .files : .settings, message, hint: hint)
      }
      return .error(
        finding.about.starts(withBytes: "endpoints.") ? .metadata : .settings, message, hint: hint,
        status: finding.status)
    }
    return shown.contains { $0.check == .settings } ? shown : shown + [.ok(.settings, "complete")]
  }
}
