import AuthCore
import FlyingSocks

/// The little that is read of a browser's request to the redirect URI (RFC 9112, section 3).
struct LoopbackRequest: Sendable {
  /// The path of the request.
  let path: String
  /// The fields of the query, or of the form of a POST (`response_mode=form_post`); nil for another method.
  let fields: [FormField]?

  /// What is not a request that a browser would send.
  struct Malformed: Error {}

  private static let largestHeader = 32 << 10
  private static let largestForm = 64 << 10

  /// Reads one request.
  ///
  /// - Throws: ``Malformed``, or the socket's error.
  init(_ connection: AsyncSocket) async throws {
    var received: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while received.firstRange(of: end) == nil {
      guard received.count < LoopbackRequest.largestHeader else { throw Malformed() }
      received += try await connection.read(atMost: 4096)
    }
    guard let headerEnd = received.firstRange(of: end) else { throw Malformed() }
    let lines = String(decoding: received[..<headerEnd.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { throw Malformed() }
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(target[0])
    switch words[0] {
    case "GET":
      fields = FormEncoding.decode(target.count > 1 ? target[1] : "")
    case "POST":
      let length = LoopbackRequest.contentLength(lines.dropFirst())
      guard length <= LoopbackRequest.largestForm else { throw Malformed() }
      var form = Array(received[headerEnd.upperBound...])
      while form.count < length { form += try await connection.read(atMost: length - form.count) }
      fields = FormEncoding.decode(String(decoding: form.prefix(length), as: UTF8.self))
    default:
      fields = nil
    }
  }

  private static func contentLength(_ lines: ArraySlice<Substring>) -> Int {
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      return Int(parts[1].drop { $0 == " " }).map { max(0, $0) } ?? 0
    }
    return 0
  }
}
