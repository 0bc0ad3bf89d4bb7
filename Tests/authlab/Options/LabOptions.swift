/// What the command line asks for.
struct LabOptions: Sendable {
  /// The port; 0 lets the system choose.
  var port: UInt16 = 0
  /// Scheme, host and port of all addresses in the responses, for a server behind a proxy; nil for the listener's own.
  var origin: String?
  /// The settings to start with.
  var settings = Settings()
  /// The registered clients.
  var clients = [
    Client(id: "cli", secret: nil), Client(id: "svc", secret: "svc-secret"),
    Client(id: "odd", secret: "conf secret/+%&=é"),
    Client(id: "hmac", secret: "hmac-secret-of-more-than-32-bytes", signsWithSecret: true),
  ]
  /// The resource owners.
  var users = [User(name: "alice", password: "alice-pass")]
  /// Whether the server ends with its standard input.
  var exitsWithStdin = false
  /// Whether only the help is wanted.
  var wantsHelp = false

  /// Reads the arguments after the program's name.
  /// - Throws: `UsageError` that says which argument is wrong.
  init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = LabOption.all.first(where: { "--" + $0.name == parts[0] }) else {
        throw UsageError(reason: "\(parts[0]): there is no such option")
      }
      var value = parts.count > 1 ? parts[1] : nil
      if option.placeholder == nil && value != nil {
        throw UsageError(reason: "--\(option.name): takes no value")
      }
      if let placeholder = option.placeholder, value == nil {
        value = rest.popFirst()
        guard value != nil else { throw UsageError(reason: "--\(option.name): lacks its value \(placeholder)") }
      }
      guard option.apply(&self, value ?? "") else {
        throw UsageError(reason: "--\(option.name): can't be \(value ?? "")")
      }
    }
  }

  /// The text of `--help`.
  static var help: String {
    let rows = LabOption.all.map { option in
      let left = "  --" + option.name + (option.placeholder.map { " " + $0 } ?? "")
      return left + String(repeating: " ", count: max(2, 34 - left.count)) + option.help
    }
    return """
      Usage: authlab [OPTION]...
      A loopback OAuth 2.0 authorization server and API for tests, with short-lived tokens and faults on demand.

      \(rows.joined(separator: "\n"))

      Everything else is set while it runs: GET and POST /control/settings, POST /control/fault.

      """
  }
}
