import Foundation
import HTTPTypes
import Testing

@testable import AuthCore

@Suite("APIRequest")
struct APIRequestTests {
  private func bytes(_ request: APIRequest) throws -> [UInt8] {
    guard case .bytes(let bytes) = request.body else { throw Unexpected(request.method) }
    return bytes
  }

  @Test("PUT and PATCH carry a value as JSON")
  func json() throws {
    let requests = [try APIRequest.put("a", json: ["b": 1]), try .patch("a", json: ["b": 1])]
    #expect(requests.map(\.method) == [.put, .patch])
    for request in requests {
      #expect(request.path == "a" && request.fields[.contentType] == "application/json")
      #expect(try bytes(request) == Array(#"{"b":1}"#.utf8))
    }
  }

  @Test("a multipart form carries texts and files (RFC 7578)")
  func multipart() throws {
    let request = APIRequest.post(
      "a", multipart: [.text("name", "Ada"), .file("image", fileName: "me.png", content: [1, 2])])
    let type = try #require(request.fields[.contentType])
    let boundary = try #require(type.split(separator: "=").last)
    let body =
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAda\r\n--\(boundary)\r\n"
      + "Content-Disposition: form-data; name=\"image\"; filename=\"me.png\"\r\nContent-Type: image/png\r\n\r\n"
      + "\u{1}\u{2}\r\n--\(boundary)--\r\n"
    #expect(type.hasPrefix("multipart/form-data; boundary=") && request.method == .post)
    #expect(try bytes(request) == Array(body.utf8))
  }
}
