import AuthCore
import SystemPackage

extension Command {
  static let profileList = Command(
    name: "profile list", summary: "list the profiles", manual: Manual(PackageResources.profile_list_md),
    options: [.json])
}

extension RunnableCommand {
  static let profileList = RunnableCommand(.profileList, { _ in }) { _, context in
    var lines: [ProfileLine] = []
    var failures: [ExitStatus] = []
    for name in try context.profiles.names() {
      do throws(AuthError) {
        if let line = try await ProfileLine(name, context) { lines.append(line) }
      } catch {
        failures.append(ErrorReport(error).report(context, profile: name.string))
      }
    }
    if context.verbosity.printsJSON {
      try context.console.write(try JSONValue.array(lines.map(\.json)).text() + "\n")
    } else {
      try context.console.write(ProfileLine.text(lines, context))
      if lines.isEmpty, failures.isEmpty { ProfileChoice(context).noteNone() }
    }
    return failures.worst
  }
}

/// A line of the output of `profile list`.
struct ProfileLine: Sendable {
  /// The profile's name.
  let name: ProfileName
  private let outline: ProfileOutline
  private let file: String
  private let state: ProfileStatus.State

  /// Reads a profile and the state of its session; nil if its file no longer exists.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the file can't be read.
  init?(_ name: ProfileName, _ context: Context) async throws(AuthError) {
    guard let text = try context.profiles.text(of: name) else { return nil }
    self.name = name
    file = context.profiles.file(of: name).string
    let profile = try Profile(toml: text, file: file, name: name)
    outline = try ProfileOutline(toml: text, file: file, name: name)
    // A store that can't be read hides no profile.
    state = (try? await StatusOptions.status(of: profile, context.session(profile), context))?.0.state ?? .unavailable
  }

  private var type: String { outline["type"]?.string ?? ProfileType.oauth2.rawValue }

  /// The server that issues the tokens; otherwise the API that they are sent to.
  private var server: String? {
    outline["issuer"]?.string ?? outline["base"]?.string ?? outline["endpoints.token"]?.string
      ?? outline["api"]?.strings?.first
  }

  private var isDefault: Bool { outline["default"]?.bool ?? false }

  /// The profile as JSON with stable keys; a key that is not in the file is null.
  var json: JSONValue {
    .object([
      "profile": .string(name.string), "type": .string(type), "state": .string(state.rawValue),
      "default": .bool(isDefault), "file": .string(file),
      "issuer": outline["issuer"] ?? .null, "base": outline["base"] ?? .null,
      "client_id": outline["client_id"] ?? .null, "flow": outline["flow"] ?? .null,
      "api": .array((outline["api"]?.strings ?? []).map { .string($0) }),
    ])
  }

  private var cells: [String] {
    [
      name.string, type, state.rawValue.replacing(bytes: "_", with: " "),
      (server.map { Escaped.text($0) } ?? "-") + (isDefault ? "  (default)" : ""),
    ]
  }

  /// Returns the lines for the user, in columns; on a terminal below a header.
  static func text(_ lines: [ProfileLine], _ context: Context) -> String {
    let isTerminal = context.console.terminals.output && !lines.isEmpty
    let rows = (isTerminal ? [["PROFILE", "TYPE", "STATE", "SERVER"]] : []) + lines.map(\.cells)
    let widths = (0..<3).map { column in rows.map { TextRow.columns($0[column]) }.max() ?? 0 }
    return rows.enumerated().map { index, row in
      let line = zip(row, widths).map { $0.padded(to: $1) + "  " }.joined() + row[3]
      return line.tinted("1", if: isTerminal && index == 0 && context.verbosity.colour.output) + "\n"
    }.joined()
  }
}
