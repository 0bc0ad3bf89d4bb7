import AuthCore
import Foundation
import HTTPTypes
import Synchronization
import SystemPackage

/// A transport to servers in this process, by their origins. What it sends has the form of curl's requests.
final class LabNetwork: HTTPTransport {
  /// A scripted server: the response, head and body, to the head of a request.
  typealias Script = @Sendable (_ head: [String]) async -> String

  private struct State {
    var servers: [String: LabServer] = [:]
    var scripts: [String: Script] = [:]
    var sent = 0
  }

  private let state = Mutex(State())

  /// How many requests were sent, those to servers that do not exist included.
  var sent: Int { state.withLock { $0.sent } }

  /// Makes a server reachable, in place of a scripted one at its origin.
  func add(_ server: LabServer) {
    state.withLock { state in
      state.servers[server.origin] = server
      state.scripts[server.origin] = nil
    }
  }

  /// Makes a scripted server reachable at an origin.
  func add(_ origin: String, _ script: @escaping Script) { state.withLock { $0.scripts[origin] = script } }

  func send(_ transfer: Transfer) async throws -> TransferResponse {
    let credential = try await transfer.credential?() ?? []
    try Task.checkCancellation()
    let lines = head(of: transfer, credential)
    for line in lines + [""] { transfer.trace?(.sent(line)) }
    let host = transfer.url.origin.host
    var report = TransferReport(of: transfer)
    defer { transfer.report?(report) }
    report.newConnections = 1
    report.times.total = .milliseconds(1)
    let outcome = try await outcome(of: lines, body: transfer.body?.content() ?? [], at: transfer.url.origin.string)
    switch outcome {
    // RFC 2606, section 2: no such name exists.
    case .unreachable where host.hasSuffix(".invalid"):
      throw TransportError.unresolved(host: host, detail: "no such host")
    case .unreachable: throw TransportError.unreachable(detail: "\(host): connection refused")
    case .drop: throw TransportError.broken(detail: "\(host): empty reply from server")
    case .hang:
      let limit = transfer.network.timeout ?? .seconds(60)
      throw TransportError.timedOut(detail: "\(host): no complete response within \(limit), got 0 bytes")
    case .response(let head, let body, let isWhole):
      for line in head.components(separatedBy: "\r\n").dropLast() { transfer.trace?(.received(line)) }
      var response = Self.response(head)
      report.httpVersion = "1.1"
      report.response = response
      report.sizes.received = Int64(body.count)
      report.sizes.responseHeader = Int64(head.utf8.count)
      // In two parts, as from a network.
      let middle = body.count / 2
      if transfer.received?(Array(body.prefix(middle))) == true {
        _ = transfer.received?(Array(body.dropFirst(middle)))
      }
      try deliver(Array(body), isWhole: isWhole, of: &response, to: transfer.destination(response))
      guard isWhole else { throw TransportError.broken(detail: "\(host): the response is cut off") }
      return response
    }
  }

  private func outcome(of lines: [String], body: [UInt8], at origin: String) async throws -> LabServer.Outcome {
    let (server, script) = state.withLock { state in
      state.sent += 1
      return (state.servers[origin], state.scripts[origin])
    }
    if let script {
      let text = await script(lines).replacing("\n", with: "\r\n")
      guard let end = text.firstRange(of: "\r\n\r\n") else { return .drop }
      return .response(head: String(text[..<end.upperBound]), body: Data(text[end.upperBound...].utf8), isWhole: true)
    }
    return try await server?.handle(lines, body: body) ?? .unreachable
  }

  /// The lines of the head, as libcurl writes them.
  private func head(of transfer: Transfer, _ credential: [HTTPField]) -> [String] {
    var fields = transfer.standardFields.filter { field in
      transfer.fields[field.name] == nil && !transfer.withheldFields.contains(field.name)
    }
    let isSilent = { (name: HTTPField.Name) in
      fields.contains { $0.name == name } || transfer.fields[name] != nil || transfer.withheldFields.contains(name)
    }
    if !isSilent(.accept) { fields.append(HTTPField(name: .accept, value: "*/*")) }
    var lines = ["\(transfer.method.rawValue) \(transfer.url.pathAndQuery) HTTP/1.1"]
    if transfer.fields.allSatisfy({ $0.name.canonicalName != "host" }) {
      lines.append("Host: \(transfer.url.origin.string.split(separator: "/").last ?? "")")
    }
    lines += (fields + Array(transfer.fields) + credential).map { field in
      field.value.isEmpty ? "\(field.name.rawName):" : "\(field.name.rawName): \(field.value)"
    }
    if let body = transfer.body {
      lines.append(body.length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked")
    }
    return lines
  }

  private static func response(_ head: String) -> TransferResponse {
    let lines = head.components(separatedBy: "\r\n")
    let fields = lines.dropFirst().compactMap { line -> HTTPField? in
      guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else { return nil }
      return HTTPField(name: name, value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return TransferResponse(status: status, fields: HTTPFields(fields), rawHeader: Array(head.utf8))
  }

  private func deliver(
    _ body: [UInt8], isWhole: Bool, of response: inout TransferResponse, to destination: BodyDestination
  ) throws {
    response.bodyCount = Int64(body.count)
    switch destination {
    case .collect(let limit):
      guard body.count <= limit else { throw TransportError.responseTooLarge(limit: limit) }
      response.body = body
    case .write(let file): _ = try file.writeAll(body)
    case .change(let change, let file): _ = try file.writeAll(change(body))
    case .hold(let limit, let decide):
      let next = try decide(isWhole && body.count <= limit ? body : nil)
      try deliver(body, isWhole: isWhole, of: &response, to: next)
    case .pass(let receive): try receive(body)
    case .discard: break
    }
  }
}

extension RequestBody {
  /// All of the body.
  fileprivate func content() throws -> [UInt8] {
    switch self {
    case .bytes(let bytes): return bytes
    case .stream(let spool): return try spool.readToEnd()
    case .sequence(let bodies): return try bodies.flatMap { try $0.content() }
    case .file(let file, let offset, let length):
      var bytes = [UInt8](repeating: 0, count: Int(length))
      let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(fromAbsoluteOffset: offset, into: $0) }
      return Array(bytes.prefix(count))
    }
  }
}
