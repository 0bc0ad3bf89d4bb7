import AuthCore
import FlyingSocks

/// The needed parts of a browser's request to the redirect URI (RFC 9112, section 3).
struct LoopbackRequest: Sendable {
  /// The path of the request.
  let path: String
  /// The fields of the query, or of the form of a POST (`response_mode=form_post`); nil for another method.
  let fields: [FormField]?

  /// Whether the browser shows the response as a page, as after a server's redirect. False if the request's
  /// `Sec-Fetch-*` fields indicate otherwise (W3C Fetch Metadata, sections 2.1 and 2.2). Absent fields are ignored.
  let isNavigation: Bool

  /// The error for a request that a browser would not send.
  struct Malformed: Error {}

  private static let largestHeader = 32 << 10
  private static let largestForm = 64 << 10

  /// Reads one request.
  ///
  /// - Throws: ``Malformed``, or the socket's error.
  init(_ connection: AsyncSocket) async throws {
    var received: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while received.firstRange(of: end) == nil {  // bytes
      guard received.count < LoopbackRequest.largestHeader else { throw Malformed() }
      received += try await connection.read(atMost: 4096)
    }
    guard let headerEnd = received.firstRange(of: end) else { throw Malformed() }  // bytes
    let lines = String(decoding: received[..<headerEnd.lowerBound], as: UTF8.self).split(atAny: "\r\n")
    let words = lines.first?.split(atAny: " ") ?? []
    guard words.count == 3 else { throw Malformed() }
    let target = words[1].split(atAny: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(target[0])
    let fields = lines.dropFirst()
    isNavigation =
      LoopbackRequest.values("sec-fetch-mode", fields).allSatisfy { $0 == "navigate" }
      && LoopbackRequest.values("sec-fetch-dest", fields).allSatisfy { $0 == "document" }
    switch words[0] {
    case "GET":
      self.fields = FormEncoding.decode(target.count > 1 ? target[1] : "")
    case "POST":
      let length = LoopbackRequest.values("content-length", fields).first.flatMap { Int($0) }.map { max(0, $0) } ?? 0
      guard length <= LoopbackRequest.largestForm else { throw Malformed() }
      var form = Array(received[headerEnd.upperBound...])
      while form.count < length { form += try await connection.read(atMost: length - form.count) }
      self.fields = FormEncoding.decode(String(decoding: form.prefix(length), as: UTF8.self))
    default:
      self.fields = nil
    }
  }

  private static func values(_ name: String, _ fields: ArraySlice<Substring>) -> [Substring] {
    fields.compactMap { line in
      let parts = line.split(atAny: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].lowercased() == name else { return nil }
      return parts[1].drop(anyOf: " \t").prefix(upToAny: " \t")
    }
  }
}
