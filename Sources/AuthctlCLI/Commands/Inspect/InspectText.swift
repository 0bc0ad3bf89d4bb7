import AuthCore
import FoundationEssentials

/// Formats the report of `inspect` as text: first all findings, then each token, then the server's statements.
struct InspectText: Sendable {
  /// The report.
  let report: InspectReport
  /// Writes the times.
  let time: LocalTime
  /// Whether the output is coloured.
  let colour: Bool
  /// Whether the registered claims are explained.
  let explains: Bool

  /// The whole text.
  var text: String {
    let tokens = report.tokens.map(section)
    return (summary + tokens.flatMap { [""] + $0 } + online).joined(separator: "\n") + "\n"
  }

  // MARK: - Findings

  private var summary: [String] {
    var findings = report.tokens.flatMap { token in
      token.findings.map { (claim: $0.claim, text: "\(token.name): \(Escaped.line($0.message))") }
    }
    let refusal = findings.first { $0.claim == ClaimFinding.api }
    findings.removeAll { $0.claim == ClaimFinding.api }
    let count = findings.isEmpty ? "no problem found" : findings.count == 1 ? "1 problem" : "\(findings.count) problems"
    let name = report.profile?.string ?? "token"
    let first = refusal.map { tinted("33", "\(name): \($0.text)") } ?? "\(name): \(count)"
    return [first] + findings.map { marked(true, $0.text) } + (refusal != nil && findings.isEmpty ? [unexplained] : [])
  }

  /// The line below a refusal that nothing in the tokens explains.
  private var unexplained: String {
    let login = report.profile.map { "; to replace it: authctl login \($0)" } ?? ""
    return "    nothing in the token explains it: ask the API's operator\(login)"
  }

  // MARK: - Tokens

  private func section(_ token: InspectedToken) -> [String] {
    let form = [InspectText.name(of: token.format), token.identity].compactMap { $0 }.joined(separator: ", ")
    var lines = ["\(bold(token.name)): \(form)", "  " + row("signature", signature(of: token))]
    if let left = token.expiresIn {
      let expiry = time.now.timeIntervalSince1970 + left
      let words = left > 0 ? "expires" : "expired"
      let date = time.text(secondsSince1970: expiry).map { ", \($0)" } ?? ""
      lines.append("  " + row("expiry", "\(words) \(time.distance(secondsSince1970: expiry))\(date)"))
    } else {
      lines.append("  " + row("expiry", "unknown"))
    }
    if token.format == .opaque, token.kind == .access, report.introspection == nil {
      lines.append("  only the server can read it: use --online")
    }
    let claims = Set(token.findings.map(\.claim))
    lines += members("header", token.header, ClaimExplanation.header, [])
    return lines + members("claims", token.claims, ClaimExplanation.claims, claims)
  }

  private func signature(of token: InspectedToken) -> String {
    let reason = token.signature.reason.map { ": \(Escaped.line($0))" } ?? ""
    switch token.signature.state {
    case .valid:
      let key = token.header?["kid"]?.readable
      let parts = [token.header?["alg"]?.readable, key.map { "key \($0)" }].compactMap { $0 }
      return tinted("32", "valid") + " (\(parts.joined(separator: ", ")))"
    case .invalid: return tinted("31", "invalid") + reason
    case .notChecked: return tinted("2", "not checked") + reason
    }
  }

  private func members(
    _ title: String, _ value: JSONValue?, _ list: [(name: String, text: String)], _ differing: Set<String>
  ) -> [String] {
    guard let value else { return [] }
    let names = ClaimExplanation.sorted(value.names, as: list)
    let width = min(names.map(\.count).max() ?? 0, 24)
    let lines = names.flatMap { name -> [String] in
      let member = value[name] ?? .null
      let shown = ClaimExplanation.times.contains(name) ? dated(member) : member.readable
      let line = marked(differing.contains(name), "\(Escaped.line(name).padded(to: width))  \(shown)")
      guard explains, let text = ClaimExplanation.text(of: name, in: list) else { return [line] }
      return [line, tinted("2", "        \(text)")]
    }
    return ["  \(title)"] + lines.map { "  " + $0 }
  }

  private func dated(_ value: JSONValue) -> String {
    guard let seconds = value.lenientNumber, let date = time.text(secondsSince1970: seconds) else {
      return value.readable
    }
    return "\(value.readable)  \(date), \(time.distance(secondsSince1970: seconds))"
  }

  private static func name(of format: DecodedToken.Format) -> String {
    switch format {
    case .jwt: "JWT"
    case .encrypted: "encrypted JWT"
    case .opaque: "opaque"
    case .damaged: "damaged"
    }
  }

  // MARK: - The server's statements

  private var online: [String] {
    let statements = [("introspection", report.introspection), ("userinfo", report.userinfo)]
    let failures = statements.compactMap { name, statement -> [String]? in
      guard case .failure(let why, let hint)? = statement else { return nil }
      return ["  " + row(name, Escaped.line(why))] + (hint.isEmpty ? [] : ["  " + row("", Escaped.line(hint))])
    }
    let table = ClaimTable(report)
    guard !failures.isEmpty || !table.rows.isEmpty else { return [] }
    let rows = table.lines.map { marked($0.differs, $0.text) }
    return ["", bold("from the server")] + rows + failures.flatMap { $0 }
  }

  // MARK: - Lines

  /// Returns a line, with a mark if it is a difference.
  private func marked(_ differs: Bool, _ line: String) -> String {
    differs ? tinted("33", "  ! \(line)") : "    \(line)"
  }

  private func row(_ name: String, _ value: String) -> String { "\(name.padded(to: 13))  \(value)" }

  private func bold(_ text: String) -> String { tinted("1", text) }

  private func tinted(_ code: String, _ text: String) -> String { text.tinted(code, if: colour) }
}
