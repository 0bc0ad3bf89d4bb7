import AuthCore
import Foundation
import HTTPServer
import Synchronization
import TestSupport

@testable import authlab

/// authlab in this process: requests are function calls. Its interface is that of `Authlab`.
final class LabServer: Sendable {
  /// What comes of a request.
  enum Outcome: Sendable {
    /// The head, with its line ends and empty last line, and the body; `isWhole` is false if the body breaks off.
    case response(head: String, body: Data, isWhole: Bool)
    /// The end of the connection without a byte.
    case drop
    /// No response, until the client gives up.
    case hang
    /// The server has been stopped.
    case unreachable
  }

  /// Scheme, host and port, which is the issuer too.
  let origin: String
  private let router: Router
  private let isStopped = Mutex(false)
  private static let lastPort = Mutex(UInt16(40_000))

  /// Creates a server whose time is that of the test, with the command line of authlab.
  init(_ arguments: [String] = [], clock: @escaping @Sendable () -> Date) throws {
    let port = LabServer.lastPort.withLock { port in
      port += 1
      return port
    }
    let options = try LabOptions(arguments: arguments)
    origin = options.origin ?? "http://127.0.0.1:\(port)"
    router = Router(state: LabState(origin: origin, options: options, clock: clock))
  }

  /// Ends the server: it can't be reached any more.
  func stop() { isStopped.withLock { $0 = true } }

  /// Brings a request to its endpoint; `lines` are the head, the request line first, without line ends.
  func handle(_ lines: [String], body: [UInt8]) async throws -> Outcome {
    guard !isStopped.withLock({ $0 }) else { return .unreachable }
    let request = LabServer.request(lines)
    switch try await router.answer(request, body: authlab.RequestBody(body)) {
    case .drop: return .drop
    case .hang: return .hang
    case .truncated(let response): return message(response, to: request, isWhole: false)
    case .response(let response): return message(response, to: request, isWhole: true)
    }
  }

  private static func request(_ lines: [String]) -> Request {
    let words = lines[0].split(separator: " ").map(String.init)
    let fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
    }
    let peer = ServerPeer(uid: nil, isUnixSocket: false, description: "test")
    return Request(ServerRequest(method: words[0], target: words[1], fields: fields, peer: peer))
  }

  private func message(_ response: Response, to request: Request, isWhole: Bool) -> Outcome {
    let isBodiless = request.method == "HEAD" || [204, 304].contains(response.status)
    let (length, body) =
      switch response.body {
      case .data(let data): (data.count, data)
      case .pattern(let count, _): (count, LabServer.pattern(count))
      }
    let date = authlab.HTTPDate(secondsSince1970: router.state.now)
    var head = "HTTP/1.1 \(response.status) \(ReasonPhrase.standard(for: response.status))\r\nDate: \(date.text)\r\n"
    for field in response.headers.fields { head += "\(field.name): \(field.value)\r\n" }
    if response.status != 204 { head += "Content-Length: \(length)\r\n" }
    let sent = isBodiless ? Data() : isWhole ? body : body.prefix(body.count / 2)
    return .response(head: head + "\r\n", body: Data(sent), isWhole: isWhole)
  }

  /// The bytes 0 to 250 over and over; not made one by one, which would keep other tests waiting.
  private static func pattern(_ count: Int) -> Data {
    var bytes = Data(0...250)
    while bytes.count < count { bytes += bytes }
    return bytes.prefix(count)
  }
}

// MARK: - As a client sees it

extension LabServer {
  /// Sends one request.
  func send(
    _ method: String = "GET", _ target: String, headers: [(name: String, value: String)] = [], body: Data = Data()
  ) async throws -> LoopbackResponse {
    let lines = ["\(method) \(target) HTTP/1.1"] + headers.map { "\($0.name): \($0.value)" }
    guard case .response(let head, let content, _) = try await handle(lines, body: Array(body)) else {
      throw AuthlabError.silent
    }
    let fields = head.components(separatedBy: "\r\n").dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstRange(of: ": ") else { return nil }
      return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
    }
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return LoopbackResponse(status: status, headers: fields, body: content)
  }

  /// Posts a form (RFC 6749, appendix B).
  func post(_ target: String, form: [(name: String, value: String)]) async throws -> LoopbackResponse {
    let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{20}"..."\u{7e}"))
    let encode = { (text: String) in text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text }
    let text = form.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    return try await send(
      "POST", target, headers: [("Content-Type", "application/x-www-form-urlencoded")], body: Data(text.utf8))
  }
}

// MARK: - Control

extension LabServer {
  /// How often each thing happened, such as `token.refresh_token.ok`; what never happened is absent.
  func counters() async throws -> [String: Int] { await router.state.counters }

  /// How often one thing happened.
  func count(_ name: String) async throws -> Int { try await counters()[name] ?? 0 }

  /// The last `count` requests, the oldest first.
  func lastRequests(_ count: Int = 100) async throws -> [RecordedRequest] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode([RecordedRequest].self, from: await send("GET", "/control/last?n=\(count)").body)
  }

  /// Lets requests fail: `{"endpoint":"token","kind":"drop","count":1}`.
  func fail(_ fault: String) async throws { try await order("POST", "/control/fault", fault) }

  /// Forgets the faults that wait.
  func clearFaults() async throws { try await order("DELETE", "/control/fault") }

  /// Changes settings: `{"reuse":"one-use"}`.
  func change(_ settings: String) async throws { try await order("POST", "/control/settings", settings) }

  /// Ends the life of all access tokens that were issued until now.
  func expireAccessTokens() async throws { try await order("POST", "/control/expire") }

  /// Decides about all device codes that wait: `{"decision":"allow"}`, or `deny`.
  func decideDevices(_ decision: String) async throws { try await order("POST", "/control/device", decision) }

  /// Revokes everything that was issued until now.
  func revokeAll() async throws { try await order("POST", "/control/revoke-all") }

  /// Forgets the clients that have registered, as if the server had lost them.
  func forgetClients() async throws { try await order("POST", "/control/forget-clients") }

  /// Puts a client's document where its `client_id` says that it is (OAuth Client ID Metadata Document).
  func publish(clientDocument: String) async throws {
    try await order("POST", "/control/client-document", clientDocument)
  }

  /// Forgets counters, requests and faults.
  func reset() async throws { try await order("POST", "/control/reset") }

  private func order(_ method: String, _ path: String, _ body: String = "") async throws {
    let response = try await send(method, path, body: Data(body.utf8))
    guard response.status == 200 else { throw AuthlabError.refused(response.text) }
  }
}
