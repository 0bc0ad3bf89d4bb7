import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite struct StandardFieldsTests {
  private let standard: HTTPFields = [
    .accept: "*/*", .referer: "http://r/", .userAgent: "me", .range: "bytes=1-2",
  ]

  private func field(_ name: String, _ value: String) throws -> HTTPField {
    HTTPField(name: try #require(HTTPField.Name(name)), value: value)
  }

  @Test("standard fields stand where curl puts them, and the others behind them")
  func order() async throws {
    let request = try await recorded(
      .get,
      change: { transfer in
        transfer.standardFields = standard
        transfer.decodesContent = true
        transfer.fields.append(try field("X-One", "1"))
      })
    #expect(
      request.head
        == "GET / HTTP/1.1\nHost: HOST\nRange: bytes=1-2\nUser-Agent: me\nAccept: */*\n"
        + "Accept-Encoding: deflate, gzip, br, zstd\nReferer: http://r/\nX-One: 1\n\n")
  }

  @Test(
    "a field of the same name replaces a standard one, in its own place",
    arguments: ["Range", "user-agent", "Accept", "REFERER"])
  func replacedField(name: String) async throws {
    let replaced = try await recorded(
      .get,
      change: { transfer in
        transfer.standardFields = standard
        transfer.fields.append(try field("X-One", "1"))
        transfer.fields.append(try field(name, "own"))
      })
    #expect(replaced.head.hasSuffix("X-One: 1\n\(name): own\n\n"))
    #expect(replaced.head.lowercased().components(separatedBy: "\n\(name.lowercased()):").count == 2)
    let withheld = try await recorded(
      .get,
      change: { transfer in
        transfer.standardFields = standard
        transfer.withheldFields = [try #require(HTTPField.Name(name))]
      })
    #expect(!withheld.head.lowercased().contains("\n\(name.lowercased()):"))
  }

  @Test("a form's type stands behind its length, and so does that of a multipart form")
  func formType() async throws {
    for type in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"] {
      let request = try await recorded(.post, read: { peer, _ in try peer.bytes(3) }) { transfer in
        transfer.standardFields[.contentType] = type
        transfer.fields.append(try field("X-One", "1"))
        transfer.body = .bytes(Array("a=b".utf8))
      }
      #expect(request.head == "POST / HTTP/1.1\nHost: HOST\nX-One: 1\nContent-Length: 3\nContent-Type: \(type)\n\n")
    }
  }

  @Test("a line is sent as it is written, each of several")
  func writtenLines() async throws {
    let request = try await recorded(
      .get,
      change: { transfer in
        for line in ["X-One:1", "X-One:   1  ", "X-Two: ü"] {
          let parts = line.split(separator: ":", maxSplits: 1)
          let field = try field(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
          transfer.fields.append(field)
          transfer.spellings.keep(Array(line.utf8), of: field)
        }
      })
    #expect(request.head == "GET / HTTP/1.1\nHost: HOST\nX-One:1\nX-One:   1  \nX-Two: ü\n\n")
  }

  @Test("a response that ends with its header is not waited for any longer")
  func headerOnly() async throws {
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 200 OK\nContent-Length: 5\n\n")
      _ = peer.rests()
    }
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
    transfer.endsWithHeader = true
    transfer.network.timeout = .seconds(30)
    #expect(try await CurlTransport(environment: [:]).send(transfer).fields[.contentLength] == "5")
  }

  @Test(
    "a compressed response is decompressed where that was asked for, and its bytes are counted so",
    arguments: [true, false])
  func compressedResponse(
    decodes: Bool
  ) async throws {
    let data = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="))
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(data.count)\n\n")
      try peer.send(Array(data))
    }
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
    transfer.decodesContent = decodes
    let response = try await CurlTransport(environment: [:]).send(transfer)
    #expect(response.body == (decodes ? Array("hello".utf8) : Array(data)))
    #expect(response.bodyCount == Int64(response.body.count))
  }
}
