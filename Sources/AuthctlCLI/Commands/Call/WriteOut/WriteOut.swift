import AuthCore
import HTTPTypes

/// Prints the text of `-w` after a request.
struct WriteOut: Sendable {
  private let format: WriteOutFormat
  private let console: any Console

  /// Reads the format; nil if there is none.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if its file can't be read.
  init?(_ format: TextOrFile?, _ context: Context) throws(AuthError) {
    console = context.console
    switch format {
    case nil: return nil
    case .text(let text): self.format = WriteOutFormat(text)
    case .file("-"): self.format = WriteOutFormat(WriteOutFormat.joined(try console.readAllInput(for: "-w @-")))
    case .file(let path):
      do {
        let content = String(decoding: try InputFile(path: path).smallContent(), as: UTF8.self)
        self.format = WriteOutFormat(WriteOutFormat.joined(content))
      } catch {
        throw .usage("-w @\(Escaped.text(path))", why: "can't be read: \(error)", hint: "check the path and its mode")
      }
    }
  }

  /// Whether the transfer must record the server's certificates.
  var needsCertificates: Bool {
    format.pieces.contains { if case .variable(let variable) = $0 { variable.needsCertificates } else { false } }
  }

  /// Prints the text.
  ///
  /// - Throws: `Errno` if standard output can't be written.
  func print(_ facts: WriteOutValues) throws {
    var (text, isError) = ("", false)
    for piece in format.pieces {
      switch piece {
      case .text(let words): text += words
      case .header(let name): text += WriteOut.header(name, of: facts.response)
      case .unknown(let name):
        console.note("authctl: unknown --write-out variable: '\(Escaped.text(name))'")
      case .variable(.onError):
        if facts.status == .ok { return try put(text, isError) }
      case .variable(.standardError), .variable(.standardOutput):
        try put(text, isError)
        (text, isError) = ("", piece == .variable(.standardError))
      case .variable(.json): text += WriteOut.json(facts)
      case .variable(.headerJSON): text += WriteOut.headerJSON(facts.response)
      case .variable(let variable): text += facts.value(variable).plain
      }
    }
    try put(text, isError)
  }

  private func put(_ text: String, _ isError: Bool) throws {
    guard !text.isEmpty else { return }
    if isError { console.draw(text) } else { try console.write(text) }
  }

  private static func header(_ name: String, of response: TransferResponse) -> String {
    response.fields.first { $0.name.canonicalName == name.lowercased() }?.value ?? ""
  }

  /// Returns all variables that have a value, and at the end the library's version, as in curl.
  private static func json(_ facts: WriteOutValues) -> String {
    let others: [WriteOutVariable] = [.headerJSON, .json, .onError, .standardError, .standardOutput]
    let members = WriteOutVariable.allCases.filter { !others.contains($0) }
      .map { "\"\($0.rawValue)\":" + facts.value($0).json }
    let library = facts.record.reports.last?.library() ?? ""
    return "{" + (members + ["\"curl_version\":" + WriteOutValue.quoted(library)]).joined(separator: ",") + "}"
  }

  /// Returns the fields in the order of their first arrival, with lower-case names, each with all of its values.
  private static func headerJSON(_ response: TransferResponse) -> String {
    var names: [String] = []
    var values: [String: [String]] = [:]
    for field in response.fields {
      let name = field.name.canonicalName
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(WriteOutValue.quoted(field.value))
    }
    let members = names.map { "\(WriteOutValue.quoted($0)):[\(values[$0, default: []].joined(separator: ","))]" }
    return "{" + members.joined(separator: ",\n") + "\n}"
  }
}
