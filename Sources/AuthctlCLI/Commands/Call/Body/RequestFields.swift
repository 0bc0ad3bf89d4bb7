import AuthCore
import HTTPTypes
import SystemPackage

/// The header fields of a call: what authctl sends of itself, as options and `-H` lines change it.
struct RequestFields: Sendable {
  /// What a client sends of itself.
  private var standard: HTTPFields = [:]
  /// The fields of `-H` and `--json`, in order.
  private var fields: HTTPFields = [:]
  /// How their lines are written.
  private var spellings = FieldSpellings()
  /// The names that are not to be sent, not even by the transport.
  private var withheld: [HTTPField.Name] = []
  /// Whether a redirect that is followed says where it came from (`-e ;auto`).
  private var refersOnward = false

  /// - Parameters:
  ///   - lines: the `-H` lines, in order.
  ///   - tokenField: the field that carries the token: no `-H` may set it.
  ///   - isProven: whether the request carries a proof of the token's key: no `-H` may set that either.
  init(
    _ invocation: Invocation, lines: [HeaderLine], tokenField: HTTPField.Name?, isProven: Bool = false
  ) throws(AuthError) {
    standard[.userAgent] = Context.userAgent
    standard[.accept] = "*/*"
    if let name = invocation.value(CallOptions.userAgent) {
      standard[.userAgent] = try RequestFields.checked(name, "-A")
    }
    if let address = invocation.value(CallOptions.referer) { try refer(to: address) }
    if let range = try RequestFields.range(invocation) { standard[.range] = "bytes=\(range)" }
    for line in lines { try take(line, tokenField: tokenField, isProven: isProven) }
    if invocation.has(CallOptions.json) {
      // As in curl: behind the lines of -H, and only where these say nothing of them.
      for name in [HTTPField.Name.contentType, .accept] where fields[name] == nil && !withheld.contains(name) {
        fields.append(HTTPField(name: name, value: "application/json"))
      }
    }
  }

  /// Puts them into a request.
  func fill(_ transfer: inout Transfer) {
    transfer.standardFields = standard
    transfer.fields = fields
    transfer.spellings = spellings
    transfer.withheldFields = withheld
    transfer.refersOnward = refersOnward
  }

  /// The lines of all `-H` of a command line.
  ///
  /// - Throws: ``AuthError/usage(_:)``.
  static func lines(_ invocation: Invocation, _ context: Context) throws(AuthError) -> [HeaderLine] {
    var lines: [HeaderLine] = []
    for value in invocation.values(CallOptions.header) {
      guard value.hasPrefix("@") else {
        lines.append(try HeaderLine(Array(value.utf8)))
        continue
      }
      for line in HeaderLine.lines(of: try content(of: String(value.dropFirst()), context)) {
        lines.append(try HeaderLine(line))
      }
    }
    return lines
  }

  private static func content(of path: String, _ context: Context) throws(AuthError) -> [UInt8] {
    do {
      guard path == "-" else { return try InputFile(path: path).smallContent() }
      guard let content = try Spool(context.console.input, folder: "/").readAhead() else { throw Errno.fileTooLarge }
      return content
    } catch {
      throw .usage(
        .init("-H @\(Escaped.text(path))", why: "can't be read", hint: "check the path and its mode"))
    }
  }

  private mutating func take(_ line: HeaderLine, tokenField: HTTPField.Name?, isProven: Bool) throws(AuthError) {
    let name = line.name
    guard name != tokenField, !isProven || name != .dpop else {
      throw .usage(
        .init(
          "-H \(name.rawName)", why: "it carries the profile's token\(name == tokenField ? "" : "'s proof")",
          hint: "remove it, or send the request without the token: --no-auth"))
    }
    switch line {
    case .withheld(let name): withheld.append(name)
    case .field(let field, let line):
      fields.append(field)
      spellings.keep(line, of: field)
    }
  }

  private mutating func refer(to address: String) throws(AuthError) {
    let end = address.firstRange(of: ";auto")?.lowerBound
    refersOnward = end != nil
    standard[.referer] = try RequestFields.checked(String(address[..<(end ?? address.endIndex)]), "-e")
  }

  /// A number without a dash stands for all from there on, as in curl.
  private static func range(_ invocation: Invocation) throws(AuthError) -> String? {
    guard let range = invocation.value(CallOptions.range) else { return nil }
    guard !range.isEmpty, range.allSatisfy({ $0.isASCII && $0.isNumber || "-,".contains($0) }),
      range.split(separator: ",", omittingEmptySubsequences: false).allSatisfy({ $0.contains { $0.isNumber } })
    else {
      throw .usage(.init("-r", why: "not a byte range", hint: "use -r 0-499, -r 500- or -r -500"))
    }
    return range.contains("-") ? range : range + "-"
  }

  /// The value of a field; nil where it is empty, so that the field is not sent.
  private static func checked(_ value: String, _ option: String) throws(AuthError) -> String? {
    guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
      throw .usage(.init(option, why: "its value contains a control character", hint: "leave that out"))
    }
    return value.isEmpty ? nil : value
  }
}
