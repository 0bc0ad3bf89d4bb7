import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// The search for secrets: the runs of a workplace, each with `-vv` and all forms of a trace, and every secret that was
/// stored, sent or issued by then.
final class SecretHunt {
  /// A text that a run has shown.
  private struct Shown {
    let words: String
    let text: Data
  }

  private let place: Workplace
  private let labs: [LabServer]
  private var shown: [Shown] = []
  private var lines: Set<Substring> = []
  private(set) var secrets: Set<String> = []
  private var issued: Set<String> = []
  /// The names of the commands that have run.
  private(set) var commands: Set<String> = []
  /// The names of the commands that have run with `--json`.
  private(set) var jsonCommands: Set<String> = []

  /// Begins a search.
  ///
  /// - Parameter others: further servers that issue secrets.
  init(_ place: Workplace, others: [LabServer] = []) {
    self.place = place
    labs = [place.lab] + others
  }

  // MARK: - Runs

  /// Runs a command, and collects what it shows, and what is stored, sent and issued by then.
  ///
  /// - Parameter status: the exit status that is expected; nil for any.
  @discardableResult
  func run(
    _ words: [String], input: ProgramInput = .nothing, at console: FakeConsole? = nil,
    with parts: Workplace.Parts = Workplace.Parts(), status: Int32? = 0
  ) async throws -> Outcome {
    let command = try #require(Self.command(words), "\(words)")
    commands.insert(command.name)
    if words.contains("--json") { jsonCommands.insert(command.name) }
    let traces = command.options.contains(.trace) && !words.contains("--print-curl") ? try traces(words) : []
    var line = words
    line.insert(
      contentsOf: ["-vv"] + traces.flatMap { ["--trace", $0] }, at: words.firstIndex(of: "--") ?? words.count)
    let outcome = await place.run(
      line, at: try console ?? FakeConsole(text: input.bytes), environment: ["TERM": "xterm"], with: parts)
    if let status { #expect(outcome.status == status, "\(words): \(outcome.error)") }
    try await add(outcome, words)
    for file in traces where file != "-" {
      // A command line that is refused creates no file.
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { continue }
      show(text, words)
      try FileManager.default.removeItem(atPath: file)
    }
    return outcome
  }

  /// Collects what a run has shown.
  func add(_ outcome: Outcome, _ words: [String]) async throws {
    show(outcome.error, words)
    // The standard output of these is the API's, or the token that was asked for.
    let isWanted = ["call", "token", "credential"].contains(words[0]) && !words.contains("--print-curl")
    if !isWanted { show(outcome.text, words) }
    for secret in place.secrets.items.values { collect(try JSONValue(parsing: Array(secret.exposed.utf8)), "") }
    for lab in labs {
      issued.formUnion(
        try JSONDecoder().decode([String].self, from: await lab.send("GET", "/control/secrets").body))
      for request in try await lab.lastRequests() {
        for (name, value) in fields(request.form ?? "") { collect(.string(value), name) }
        for field in request.headers where field.count == 2 { collect(header: field[0], field[1]) }
      }
    }
  }

  /// Adds a secret that is neither stored nor in a form.
  func add(_ secret: String) { secrets.insert(secret) }

  /// The commands that can run, those of families included.
  static let allCommands = RunnableCommand.all.flatMap { $0.subcommands.isEmpty ? [$0] : $0.subcommands }
    .map(\.command)

  private static func command(_ words: [String]) -> Command? {
    allCommands.first { words.starts(with: $0.name.split(separator: " ").map(String.init)) }
  }

  /// The targets of `--trace`: all forms. With messages as JSON, no diagram can be drawn.
  private func traces(_ words: [String]) throws -> [String] {
    let files = TraceArguments.Form.allCases.filter { $0 != .diagram }.map { form in
      place.folder.appending(path: "trace.\(form.rawValue)").path
    }
    return files + (words.contains("--json") || words.contains("--errors=json") ? [] : ["-"])
  }

  /// Keeps the lines that no text before had.
  private func show(_ text: String, _ words: [String]) {
    let new = text.split(separator: "\n").filter { lines.insert($0).inserted }
    // A backslash that JSON escapes.
    let plain = new.joined(separator: "\n").replacing("\\\\", with: "\\")
    shown.append(Shown(words: words.joined(separator: " "), text: Data(plain.utf8)))
  }

  // MARK: - Secrets

  private func collect(_ value: JSONValue, _ name: String) {
    switch value {
    case .object(let members):
      // The parts of a private key (RFC 7518, section 6).
      for (name, value) in members { collect(value, name == "d" ? "private_key" : name) }
    case .array(let values): for value in values { collect(value, name) }
    case .string(let text) where Self.isSecret(name): secrets.insert(text)
    default: break
    }
  }

  private func collect(header name: String, _ value: String) {
    guard ["authorization", "dpop", "cookie"].contains(name.lowercased()) else { return }
    let token = value.split(separator: " ").last.map(String.init) ?? value
    secrets.insert(token)
    guard let data = Data(base64Encoded: token) else { return }
    let password = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).last.map(String.init)
    if let password { secrets.formUnion([password, password.removingPercentEncoding ?? password]) }
  }

  private func fields(_ form: String) -> [(String, String)] {
    form.split(separator: "&").compactMap { field in
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      return (parts[0], parts[1].replacing("+", with: " ").removingPercentEncoding ?? parts[1])
    }
  }

  private static func isSecret(_ name: String) -> Bool {
    // The session's identifier opens nothing, and the claims of the ID token are shown by `inspect`.
    SecretNames.isSecret(name) && !["session_id", "id_token_claims"].contains(name)
  }

  // MARK: - The search

  /// Searches all that was shown, and all files below the home.
  ///
  /// - Parameter inputs: the files in which the test has put a secret.
  func expectNothing(atLeast count: Int, except inputs: [String] = []) throws {
    let wanted = secrets.union(issued).filter { $0.count > 3 }
    #expect(wanted.count >= count, "\(wanted.count)")
    let texts = try shown + files(except: inputs)
    for secret in wanted {
      for form in forms(secret) {
        for text in texts where text.text.range(of: Data(form.utf8)) != nil {
          Issue.record("\(text.words): \(form.prefix(12))… in \(String(decoding: text.text, as: UTF8.self))")
        }
      }
    }
  }

  private func files(except inputs: [String]) throws -> [Shown] {
    try FileManager.default.subpathsOfDirectory(atPath: place.folder.path).compactMap { name in
      let path = place.folder.appending(path: name).path
      guard !inputs.contains(path), let content = FileManager.default.contents(atPath: path) else { return nil }
      return Shown(words: "the file \(name)", text: content)
    }
  }

  /// The notations of a secret; of one that was issued also its beginning, its middle and its end.
  private func forms(_ secret: String) -> Set<String> {
    let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
    // The signature of a JWT is a secret by itself.
    let parts = secret.split(separator: ".")
    let signature = parts.count == 3 && secret.hasPrefix("eyJ") ? [String(parts[2])] : []
    let middle = secret.dropFirst(secret.count / 2)
    let pieces =
      issued.contains(secret) && secret.count >= 28
      ? [secret.prefix(14), middle.prefix(14), secret.suffix(14)].map(String.init) : []
    return Set([secret, encoded, Data(secret.utf8).base64EncodedString()] + signature + pieces)
  }
}
