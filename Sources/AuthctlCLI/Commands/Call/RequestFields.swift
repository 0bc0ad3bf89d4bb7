import AuthCore
import FoundationEssentials
import HTTPTypes

/// The header fields of a call: what authctl sends of itself, as the `-H` lines change it.
struct RequestFields: Sendable {
  /// The fields to send, in order.
  private(set) var fields: HTTPFields = [:]
  /// The names that are not to be sent, not even by the transport.
  private(set) var withheld: [HTTPField.Name] = []

  /// - Parameters:
  ///   - tokenField: the field that carries the token: no `-H` may set it.
  ///   - isProven: whether the request carries a proof of the token's key: no `-H` may set that either.
  init(_ invocation: Invocation, tokenField: HTTPField.Name?, isProven: Bool = false) throws(AuthError) {
    fields[.userAgent] = Context.userAgent
    fields[.accept] = "*/*"
    if invocation.has(CallOptions.json) {
      fields[.accept] = "application/json"
      fields[.contentType] = "application/json"
    } else if [CallOptions.data, CallOptions.dataRaw, CallOptions.dataBinary].contains(where: invocation.has) {
      fields[.contentType] = "application/x-www-form-urlencoded"
    }
    var own = Set(fields.map(\.name))
    for line in try RequestFields.lines(invocation) {
      let (name, value) = try RequestFields.parse(line)
      guard name != tokenField, !isProven || name != .dpop else {
        throw .usage(
          .init(
            "-H \(name.rawName)",
            why: "this header carries the profile's token\(name == tokenField ? "" : "'s proof")",
            hint: "leave it out, or send the request without the token: --no-auth"))
      }
      // The first line for a name of authctl's own replaces it; further ones add to it, as in curl.
      if own.remove(name) != nil { fields[name] = nil }
      guard let value else {
        fields[name] = nil
        withheld.append(name)
        continue
      }
      fields.append(HTTPField(name: name, value: value))
    }
  }

  private static func lines(_ invocation: Invocation) throws(AuthError) -> [String] {
    var lines: [String] = []
    for value in invocation.values(CallOptions.header) {
      guard value.hasPrefix("@") else {
        lines.append(value)
        continue
      }
      let path = String(value.dropFirst())
      do {
        let text = String(decoding: try InputFile(path: path).smallContent(), as: UTF8.self)
        lines += text.split(whereSeparator: \.isNewline).map(String.init)
      } catch {
        throw .usage(
          .init("-H @\(Printable.text(path))", why: "the file can't be read", hint: "check the path and its mode"))
      }
    }
    return lines
  }

  /// `Name: value`; `Name:` for a field to withhold (nil); `Name;` for an empty one.
  private static func parse(_ line: String) throws(AuthError) -> (HTTPField.Name, String?) {
    let end = line.firstIndex { $0 == ":" || $0 == ";" } ?? line.endIndex
    guard end < line.endIndex, let name = HTTPField.Name(String(line[..<end])) else {
      throw malformed(String(line[..<end]), "it is no header line")
    }
    let rest = line[line.index(after: end)...]
    let value = String(rest.drop { $0 == " " || $0 == "\t" })
    if line[end] == ";" {
      guard value.isEmpty else { throw malformed(name.rawName, "a ; after the name means an empty field") }
      return (name, "")
    }
    guard HTTPField.isValidValue(value) else {
      throw malformed(name.rawName, "its value has a control character in it")
    }
    return (name, value.isEmpty ? nil : value)
  }

  /// The value is not shown: it may be a secret.
  private static func malformed(_ name: String, _ why: String) -> AuthError {
    .usage(.init("-H \(Printable.text(name, limit: 80))", why: why, hint: "write it like -H 'Name: value'"))
  }
}
