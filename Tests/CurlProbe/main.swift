import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import SystemPackage

// Sends requests with CurlTransport from a process of its own, for measuring and for valgrind:
//   CurlProbe get URL [FILE]           the body to FILE, or thrown at /dev/null
//   CurlProbe put URL FILE             the body from a regular file, or from standard input where FILE is -
//   CurlProbe leaks URL                many ways to succeed and to fail, at the server of Tests/Servers/bulk.py

func transport() -> CurlTransport { CurlTransport(environment: ProcessInfo.processInfo.environment) }

func get(_ url: String, to path: String) async throws {
  let file = try FileDescriptor.open(
    FilePath(path), .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
  var transfer = Transfer(method: .get, url: try WebURL(url))
  transfer.destination = { _ in .write(to: file) }
  let response = try await transport().send(transfer)
  print(response.status, response.bodyCount)
}

func put(_ url: String, from path: String) async throws {
  let file = path == "-" ? FileDescriptor.standardInput : try FileDescriptor.open(FilePath(path), .readOnly)
  let body: RequestBody =
    path == "-"
    ? .stream(Spool(file, folder: "/tmp")) : .file(file, offset: 0, length: try file.seek(offset: 0, from: .end))
  let response = try await transport().send(Transfer(method: .post, url: try WebURL(url), body: body))
  print(response.status, String(decoding: response.body, as: UTF8.self))
}

func leaks(_ url: String) async throws {
  struct Refused: Error {}
  let transport = transport()
  let base = try WebURL(url)
  func attempt(_ name: String, _ path: String, _ change: (inout Transfer) throws -> Void = { _ in }) async {
    do {
      var transfer = Transfer(method: .get, url: try base.resolving(path))
      try change(&transfer)
      let response = try await transport.send(transfer)
      print(name, response.status, response.bodyCount)
    } catch {
      print(name, "threw", error)
    }
  }
  await attempt("get", "/echo") { $0.fields[.accept] = "*/*" }
  await attempt("again", "/echo") { $0.credential = { [.init(name: .authorization, value: "Bearer x")] } }
  await attempt("slow credential", "/echo") {
    $0.credential = {
      try await Task.sleep(for: .milliseconds(1200))
      return [.init(name: .authorization, value: "Bearer x")]
    }
  }
  await attempt("no credential", "/echo") { $0.credential = { throw Refused() } }
  await attempt("post", "/") {
    $0.method = .post; $0.body = .bytes(Array("a=b".utf8))
  }
  await attempt("large post", "/") {
    $0.method = .post; $0.body = .bytes(.init(repeating: 1, count: 3 << 20))
  }
  await attempt("empty post", "/") { $0.method = .post }
  await attempt("too large", "/bytes/3000000")
  await attempt("discarded", "/bytes/3000000") { $0.destination = { _ in .discard } }
  await attempt("destination throws", "/bytes/3") { $0.destination = { _ in throw Refused() } }
  await attempt("traced", "/bytes/3") { $0.trace = { _ in } }
  await attempt("refused", "http://127.0.0.1:1/")
  await attempt("no certificate file", "https://127.0.0.1:1/") { $0.network.cacert = "/nonexistent" }
  await attempt("not TLS", "https://127.0.0.1:\(base.origin.port)/") { $0.network.connectTimeout = .milliseconds(200) }
  await attempt("unreadable", "/") {
    $0.method = .post
    $0.body = .file(FileDescriptor(rawValue: 999), offset: 0, length: 5)
  }
  let cancelled = Task {
    await attempt("cancelled", "/echo") {
      $0.credential = {
        try await Task.sleep(for: .seconds(9)); return []
      }
    }
  }
  try await Task.sleep(for: .milliseconds(200))
  cancelled.cancel()
  await cancelled.value
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "get": try await get(arguments[2], to: arguments.count > 3 ? arguments[3] : "/dev/null")
case "put": try await put(arguments[2], from: arguments[3])
case "leaks": try await leaks(arguments[2])
default: print("usage: CurlProbe get URL [FILE] | put URL FILE | leaks URL")
}
