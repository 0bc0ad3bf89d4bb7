import AuthCore

/// What an option of the connection changes, and how it is written for curl, which has an option of the same name.
struct NetworkSetting: Sendable {
  /// The option.
  let option: Option
  /// Returns the values of curl's option; an empty one for a switch that is on.
  let values: @Sendable (NetworkOptions) -> [String?]
  /// Returns a value without what is for curl only. Throws ``AuthError/usage(_:)`` for an unusable one.
  let check: @Sendable (String) throws(AuthError) -> String
  /// Sets the property to a value; that of a switch is empty.
  let set: @Sendable (inout NetworkOptions, String) -> Void

  init(
    _ option: Option, _ values: @escaping @Sendable (NetworkOptions) -> [String?],
    check: @escaping @Sendable (String) throws(AuthError) -> String = { $0 },
    _ set: @escaping @Sendable (inout NetworkOptions, String) -> Void
  ) {
    (self.option, self.values, self.check, self.set) = (option, values, check, set)
  }

  /// Returns the words of curl's option; empty if nothing is set.
  func words(_ network: NetworkOptions) -> [String] {
    values(network).compactMap(\.self).flatMap { option.value == nil ? [option.names[0]] : [option.names[0], $0] }
  }

  /// Returns the limit that a value sets. As in curl, zero is none; the transport still limits connecting.
  @Sendable static func limit(_ text: String) -> Duration? {
    DurationText.parse(text).flatMap { $0 == .zero ? nil : $0 }
  }

  /// Returns a limit for curl: seconds without a unit.
  @Sendable static func seconds(_ limit: Duration) -> String { String(DurationText.exact(limit).dropLast()) }

  /// Refuses a password after the path of a certificate.
  @Sendable static func certificate(_ text: String) throws(AuthError) -> String {
    guard let path = CertificateName(text).path else {
      throw .usage(
        "-E FILE:PASSWORD", why: "all users of this machine can read a password on the command line",
        hint: "use -E FILE and enter the password when prompted; write a colon in the name as \\:")
    }
    return path
  }

  /// Refuses a proxy's user name and password.
  @Sendable static func proxy(_ text: String) throws(AuthError) -> String {
    try ProxySettings.refuseUserInformation(in: [text], of: "-x")
    return text
  }

  /// Refuses a path beyond the kernel's limit (sockaddr_un), with the zero at the end.
  @Sendable static func socket(_ path: String) throws(AuthError) -> String {
    guard !path.isEmpty, path.utf8.count < 108 else {
      throw .usage("--unix-socket", why: "its path is empty or longer than 107 bytes", hint: "use a shorter path")
    }
    return path
  }

  /// Refuses an entry that libcurl would refuse only when the request is sent, and without a reason.
  @Sendable static func address(_ text: String) throws(AuthError) -> String {
    let parts = (text.dropping(prefix: "+") ?? text[...]).split(
      atAny: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, UInt16(parts[1]) != nil,
      parts[2].split(atAny: ",", omittingEmptySubsequences: false).allSatisfy(isAddress)
    else {
      throw .usage(
        "--resolve \(Escaped.text(text, limit: 80))", why: "it is not HOST:PORT:ADDRESS",
        hint: "use --resolve api.example.com:443:192.0.2.1")
    }
    return text
  }

  private static func isAddress(_ text: Substring) -> Bool {
    let inside = text.dropping(prefix: "[")?.dropping(suffix: "]")
    let address = inside ?? text
    if address.contains(bytes: ":") { return address.drop(anyOf: "0123456789abcdefABCDEF:.").isEmpty }
    let numbers = address.split(atAny: ".", omittingEmptySubsequences: false)
    return inside == nil && numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
  }
}

/// The value of `-E`, as curl reads it: a file, and after a colon the password of its key.
struct CertificateName: Sendable, Equatable {
  /// The file's path; nil if a password follows it.
  let path: String?

  /// Parses the value: `\:` is a colon and `\\` a backslash of the path.
  init(_ text: String) {
    var path = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\" where rest.first == ":" || rest.first == "\\": path.unicodeScalars.append(rest.removeFirst())
      case ":":
        self.path = nil
        return
      default: path.unicodeScalars.append(scalar)
      }
    }
    self.path = path
  }

  /// Returns a path as the value of the option, in which a colon would end it.
  static func written(_ path: String) -> String {
    path.replacing(bytes: "\\", with: "\\\\").replacing(bytes: ":", with: "\\:")
  }
}
