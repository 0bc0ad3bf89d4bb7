import AuthCore
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite struct ResumptionTests {
  private let resumption = Resumption(100)

  private func response(_ status: Int, range: String? = nil, length: String? = nil) -> TransferResponse {
    var fields: HTTPFields = [:]
    fields[.contentRange] = range
    fields[.contentLength] = length
    return TransferResponse(status: status, fields: fields)
  }

  @Test("the rest is asked for, and taken where it begins behind what is there")
  func restOfFile() throws {
    #expect(resumption.range == "bytes=100-")
    for range in ["bytes 100-199/200", "Bytes  100-199/*"] {
      #expect(try resumption.isContinued(by: response(206, range: range)))
    }
  }

  @Test(
    "a response that is not the rest of the file is not appended",
    arguments: [(416, nil), (404, nil), (401, nil), (302, nil), (200, "100"), (204, nil)] as [(Int, String?)])
  func notTheRest(status: Int, length: String?) throws {
    #expect(try !resumption.isContinued(by: response(status, length: length)))
  }

  @Test(
    "a response that would spoil the file is an error",
    arguments: [
      (206, "bytes 0-199/200", "the server sends another part than requested"),
      (206, "bytes */200", "the server sends another part than requested"),
      (206, "lines 100-199/200", "the server sends another part than requested"),
      (200, nil, "the server does not support ranges and sends the whole"),
      (206, nil, "the server does not support ranges and sends the whole"),
    ] as [(Int, String?, String)])
  func spoilingResponse(status: Int, range: String?, why: String) {
    #expect(
      throws: AuthError.failed(
        .init("-C 100", why: why, hint: "the file is unchanged; without -C it is transferred from the start"))
    ) {
      try resumption.isContinued(by: response(status, range: range, length: "200"))
    }
  }

  @Test("a resumed transfer begins at the given number, or where the file ends")
  func startingOffset() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("12345", to: "file")
    let missing = folder.url.appending(path: "missing").path
    let number = try #require(try Continuation(.call("/", "-C", "7")))
    #expect(number.resumption(of: path) == Resumption(7))
    #expect(number.resumption(of: nil) == Resumption(7))
    let end = try #require(try Continuation(.call("/", "-C", "-")))
    #expect(end.resumption(of: path) == Resumption(5))
    #expect(end.resumption(of: missing) == nil)
    #expect(end.resumption(of: nil) == nil)
    #expect(try Continuation(.call("/", "-C", "0"))?.resumption(of: path) == nil)
    #expect(try Continuation(.call("/", "-C", "7", "-T", "f"))?.resumption(of: nil) == nil)
    #expect(try Continuation(.call("/")) == nil)
  }
}
