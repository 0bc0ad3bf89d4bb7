import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import SystemPackage
import TestSupport
import Testing

@Suite struct UploadTests {
  private func put(
    _ upload: Upload, _ text: String = "0123456789", range: String? = nil, count: Int
  ) async throws -> (head: String, body: String) {
    let (head, body) = try await recorded(.put, read: { peer, _ in try peer.bytes(count) }) { transfer in
      transfer.body = .bytes(Array(text.utf8))
      transfer.upload = upload
      transfer.standardFields[.range] = range
    }
    return (head, String(decoding: body, as: UTF8.self))
  }

  @Test("a file that is put asks to be let in, unless it is empty")
  func fileExpectation() async throws {
    var request = try await put(.whole, count: 10)
    #expect(request.head == "PUT / HTTP/1.1\nHost: HOST\nContent-Length: 10\nExpect: 100-continue\n\n")
    #expect(request.body == "0123456789")
    request = try await put(.whole, "", count: 0)
    #expect(request.head == "PUT / HTTP/1.1\nHost: HOST\nContent-Length: 0\n\n")
  }

  @Test("Content-Range says which part of a file is put (RFC 9110, section 14.4)")
  func contentRange() async throws {
    var request = try await put(.rest(from: 4), count: 6)
    #expect(request.head.contains("\nContent-Range: bytes 4-9/10\n"))
    #expect(request.head.contains("\nContent-Length: 6\n"))
    #expect(request.body == "456789")
    request = try await put(.wholeWithRange, count: 10)
    #expect(request.head.contains("\nContent-Range: bytes 0-9/10\n"))
    #expect(request.body == "0123456789")
    request = try await put(.whole, range: "bytes=2-3", count: 10)
    #expect(request.head.contains("\nContent-Range: bytes 2-3/10\n"))
  }

  @Test("bodies one behind the other are sent as one, and the same again")
  func joinedBodies() async throws {
    let pipe = try FileDescriptor.pipe()
    try pipe.writeEnd.writeAll(Array("piped".utf8))
    try pipe.writeEnd.close()
    let path = FilePath("/tmp/curl-tests-\(UUID().uuidString)")
    let file = try FileDescriptor.open(
      path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
    try FileManager.default.removeItem(atPath: path.string)
    try file.writeAll(Array("0123456789".utf8))
    let spool = Spool(pipe.readEnd, folder: "/tmp")
    let known = RequestBody.sequence([
      .bytes(Array("<".utf8)), .file(file, offset: 2, length: 3), .bytes([]), .bytes(Array(">".utf8)),
    ])
    let body = RequestBody.sequence([known, .stream(spool), .bytes(Array("|".utf8)), .sequence([known])])
    for _ in 1...2 {
      let whole = try await recorded(.post, read: { peer, _ in try peer.bytes(5) }) { $0.body = known }
      #expect(whole.head.contains("Content-Length: 5\n"))
      #expect(whole.body == Array("<234>".utf8))
      let chunked = try await recorded(.post, read: { peer, _ in try peer.chunks() }) { $0.body = body }
      #expect(chunked.body == Array("<234>piped|<234>".utf8))
    }
    try pipe.readEnd.close()
    try file.close()
  }
}
