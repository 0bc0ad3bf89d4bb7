import HTTPTypes
import Testing

@testable import AuthCore

@Suite("ServerFailure")
struct ServerFailureTests {
  @Test(
    "code and message are found where APIs put them",
    arguments: [
      (#"{"code":"E1","message":"No."}"#, "E1", "No."),
      (#"{"error":"invalid_token","error_description":"Expired."}"#, "invalid_token", "Expired."),
      (#"{"error":{"code":"E2","message":"Never."}}"#, "E2", "Never."),
      (#"{"type":"https://x.example/p","title":"T","detail":"D"}"#, "https://x.example/p", "D"),
      (#"{"errorCode":"E3","errorMessage":"M"}"#, "E3", "M"), (#"{"code":7,"message":""}"#, nil, nil),
      (#"{"title":"T"}"#, nil, "T"), ("<html>", nil, nil), ("", nil, nil), ("[]", nil, nil),
    ] as [(String, String?, String?)])
  func words(body: String, code: String?, message: String?) {
    let failure = ServerFailure(.made(400, body, fields: [.retryAfter: "3"]))
    #expect(failure.status == 400 && failure.code == code && failure.message == message)
    #expect(String(decoding: failure.data, as: UTF8.self) == body)
    #expect(failure.fields[.retryAfter] == "3")
  }

  @Test("if the body has no words, those of the challenge count (RFC 6750, section 3)")
  func challenge() {
    let fields: HTTPFields = [.wwwAuthenticate: #"Bearer realm="x", error="invalid_token", error_description="Old\e.""#]
    #expect("\(ServerFailure(.made(401, fields: fields)))" == "401, invalid_token: Olde.")
    #expect("\(ServerFailure(.made(401, #"{"code":"E1"}"#, fields: fields)))" == "401, E1: Olde.")
    #expect("\(ServerFailure(.made(401, fields: [.wwwAuthenticate: "Bearer realm=x"])))" == "401")
  }

  @Test("one line of plain text is the message, at most 300 characters and escaped; HTML and other bytes never are")
  func text() {
    func message(_ type: String, _ body: String) -> String? {
      ServerFailure(.made(500, body, fields: [.contentType: type])).message
    }
    #expect(message("text/plain; charset=utf-8", "\r\n no room \nmore") == "no room")
    #expect(message("TEXT/PLAIN", "a\u{1b}[2J") == #"a\u{1b}[2J"#)
    #expect(message("text/plain", String(repeating: "x", count: 400)).map { $0.count <= 301 } == true)
    #expect(message("text/html", "no room") == nil && message("text/plain", " \n") == nil)
    let bytes = TransferResponse(
      status: 500, fields: [.contentType: "text/plain"], body: [0xFF, 0x41], bodyCount: 2)
    #expect(ServerFailure(bytes).message == nil)
  }

  @Test("a server failure is described in one line with escaped control characters, without the body")
  func description() {
    #expect("\(ServerFailure(.made(500, "<html>secret")))" == "500")
    #expect("\(ServerFailure(.made(404, #"{"code":"gone"}"#)))" == "404, gone")
    #expect("\(ServerFailure(.made(400, #"{"code":"a","message":"b\u001b[2J"}"#)))" == #"400, a: b\u{1b}[2J"#)
    #expect("\(APIError.server(ServerFailure(.made(404))))" == "the API returned 404")
  }
}
