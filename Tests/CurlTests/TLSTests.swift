import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import Testing

/// A TLS server with a self-signed certificate for 127.0.0.1: Python's, in a process of its own.
final class TLSServer: Sendable {
  private static let script = """
    import http.server, os, ssl, subprocess, sys, threading
    folder = sys.argv[1]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test",
      "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem"],
      check=True, stderr=subprocess.DEVNULL)
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(204)
            self.end_headers()
        def log_message(self, *arguments):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder + "/cert.pem", folder + "/key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    # The end of the test's process is the end of this one.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  let certificate: String
  let url: WebURL
  private let process = Process()
  private let input = Pipe()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")

  /// Starts the server on a thread of its own: waiting for it must not hold up the tests that run at the same time.
  static func start() async throws -> TLSServer {
    _ = signal(SIGPIPE, SIG_IGN)
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try TLSServer() }) }
    }
  }

  private init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", TLSServer.script, folder.path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    url = try WebURL("https://127.0.0.1:\(String(decoding: line, as: UTF8.self))/")
    certificate = folder.path + "/cert.pem"
  }

  deinit {
    process.terminate()
    // What is left in the temporary folder does no harm.
    try? FileManager.default.removeItem(at: folder)
  }
}

@Suite struct TLSTests {
  @Test("a certificate is verified, against the file that the options or the environment name")
  func verification() async throws {
    let server = try await TLSServer.start()
    let asked = Recorder<Void>()
    var transfer = Transfer(method: .get, url: server.url)
    transfer.credential = {
      asked.add(())
      return [HTTPField(name: .authorization, value: "Bearer t")]
    }
    do {
      _ = try await CurlTransport(environment: [:]).send(transfer)
      Issue.record("an unknown certificate was taken")
    } catch TransportError.tls(let detail) {
      #expect(detail.contains("self-signed certificate"))
    }
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      let response = try await CurlTransport(environment: [name: server.certificate]).send(transfer)
      #expect(response.status == 204)
    }
    transfer.network.cacert = server.certificate
    #expect(try await CurlTransport(environment: [:]).send(transfer).status == 204)
    // The certificate is for the address, not for the name.
    transfer.url = try WebURL("https://localhost:\(server.url.origin.port)/")
    do {
      _ = try await CurlTransport(environment: [:]).send(transfer)
      Issue.record("a certificate for another host was taken")
    } catch TransportError.tls {}
    transfer.url = server.url
    transfer.network.cacert = "/nonexistent"
    do {
      _ = try await CurlTransport(environment: [:]).send(transfer)
      Issue.record("a missing file was taken")
    } catch TransportError.unusable(let detail) {
      #expect(detail.contains("/nonexistent"))
    }
  }
}
