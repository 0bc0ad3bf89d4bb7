import AuthCore
import SystemPackage

extension Command {
  static let profileList = Command(
    name: "profile list", summary: "list the profiles",
    description: """
      Prints a line for each profile: its name, type and server, and whether it is the default one. Nothing is sent, \
      and the keyring is not read; `authctl status` shows who is logged in. A profile that can't be read is reported \
      on standard error, and the exit status is 2; the others are still listed.
      """,
    options: [.json],
    examples: [
      Example("authctl profile list", "Lists all profiles."),
      Example("authctl profile list --json | jq -r '.[].profile'", "Prints their names."),
      Example("authctl profile list --json | jq -r '.[].api[]'", "Prints the APIs that may get a token."),
    ])
}

extension RunnableCommand {
  static let profileList = RunnableCommand(.profileList, { _ in }) { _, context in
    var lines: [ProfileLine] = []
    var failures: [ExitStatus] = []
    for name in try context.profiles.names() {
      do throws(AuthError) {
        if let line = try ProfileLine(name, in: context.profiles) { lines.append(line) }
      } catch {
        failures.append(ErrorReport(error).report(context, profile: name.string))
      }
    }
    if context.verbosity.printsJSON {
      try context.console.write(try JSONValue.array(lines.map(\.json)).text() + "\n")
    } else {
      let width = lines.map { $0.name.string.count }.max() ?? 0
      try context.console.write(lines.map { $0.text(width: width) }.joined())
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

  /// Reads a profile; nil if its file no longer exists.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it can't be read.
  init?(_ name: ProfileName, in folder: ProfileDirectory) throws(AuthError) {
    guard let text = try folder.text(of: name) else { return nil }
    self.name = name
    file = folder.file(of: name).string
    _ = try Profile(toml: text, file: file, name: name)
    outline = try ProfileOutline(toml: text, file: file, name: name)
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
      "profile": .string(name.string), "type": .string(type), "default": .bool(isDefault), "file": .string(file),
      "issuer": outline["issuer"] ?? .null, "base": outline["base"] ?? .null,
      "client_id": outline["client_id"] ?? .null, "flow": outline["flow"] ?? .null,
      "api": .array((outline["api"]?.strings ?? []).map { .string($0) }),
    ])
  }

  /// Returns a line for the user; `width` is the width of the name column.
  func text(width: Int) -> String {
    let name = name.string.padded(to: width)
    let words = [name, type, server.map { Escaped.text($0) } ?? "-"] + (isDefault ? ["(default)"] : [])
    return words.joined(separator: "  ") + "\n"
  }
}
