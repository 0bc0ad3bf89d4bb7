import Dispatch
import Glibc
import HTTPServer
import HTTPTypes
import SystemPackage

@testable import AuthCore
@testable import AuthctlCLI

/// The bytes of a connection to a proxy, through a real socket.
enum GatewayTarget: FuzzTarget {
  static let name = "gateway"

  /// The key of the inputs in the corpus.
  private static let key = String(repeating: "k", count: 22)
  private static let path = FilePath("/tmp/authctl-fuzz-\(getpid()).sock")
  private static let server = Result { try start() }

  static func check(_ bytes: [UInt8]) {
    guard case .success = server else { fatalError("no server: \(server)") }
    let answer = exchange(bytes)
    require(
      answer.isEmpty || answer.starts(with: "HTTP/1.1 ".utf8),
      "an answer is HTTP: \(String(decoding: answer, as: UTF8.self).debugDescription)")
    // One that is refused as malformed comes to the rules of the reader only.
    Reach.count(!answer.isEmpty)
  }

  private static func start() throws -> HTTPServer {
    let socket = try ListeningSocket.unix(path, mode: .ownerReadWrite)
    let base = GatewayBase(url: try WebURL("https://api.example/v1/"))
    let rules = GatewayRules(
      doors: [.init(key: GatewayKey(random: { key }), hosts: ["127.0.0.1:80"])], users: [geteuid()],
      origins: [try WebURL("http://page.example").origin], allowances: [try GatewayAllowance("* /a/**")])
    let fields = GatewayFields(base: base, tokenField: .authorization, allowances: rules.allowances)
    let server = HTTPServer([socket]) { exchange in await answer(exchange, rules, fields) }
    let started = DispatchSemaphore(value: 0)
    Task {
      try await server.start()
      started.signal()
    }
    started.wait()
    // The listening socket is open; its file is not needed to the end.
    atexit { _ = unsafe unlink(GatewayTarget.path.string) }
    return server
  }

  private static func answer(_ exchange: ServerExchange, _ rules: GatewayRules, _ fields: GatewayFields) async {
    switch rules.verdict(on: exchange.request) {
    case .answered(let answer):
      exchange.respond(
        status: answer.status, fields: answer.fields.map { ($0.name, $0.value) }, body: answer.body)
    case .passed(let passed):
      check(exchange.request, passed, fields)
      // A body that is malformed has ended the connection.
      let body = try? await exchange.readBody(upTo: 1 << 16)
      exchange.respond(status: 200, fields: [], body: body?.bytes ?? [])
    }
  }

  private static func check(_ request: ServerRequest, _ passed: GatewayRules.Passed, _ fields: GatewayFields) {
    guard let url = try? fields.base.url(for: passed.target), let sent = try? fields.request(request, passed) else {
      return
    }
    require(url.origin == fields.base.url.origin, "the origin is the API's: \(url)")
    require(url.string.utf8.starts(with: "https://api.example/v1/a".utf8), "nothing leads out of the base: \(url)")
    require(!url.path.split(separator: "/").contains(".."), "no segment leads up: \(url)")
    for field in sent {
      let name = field.name.canonicalName
      require(!["authorization", "cookie", "host", "content-length", "transfer-encoding"].contains(name), "no \(name)")
      require(!field.value.utf8.contains { [0, 10, 13].contains($0) }, "one value stays one: \(field)")
    }
  }

  /// Sends the bytes, and returns all that comes back.
  private static func exchange(_ bytes: [UInt8]) -> [UInt8] {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.string.utf8)) }
    let connected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    require(connected == 0, "it can be connected to: \(Errno(rawValue: errno))")
    // The server may close the connection after a malformed part.
    _ = unsafe bytes.withUnsafeBytes {
      unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    shutdown(descriptor, Int32(SHUT_WR))
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return answer }
      answer += buffer[..<count]
    }
  }
}
