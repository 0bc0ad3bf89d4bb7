import AuthCore

/// Writes a multipart body, piece by piece.
struct FormWriter {
  private let boundary: () -> String
  private var pieces: [RequestBody] = []
  private var bytes: [UInt8] = []

  /// - Parameter boundary: generates the boundary between parts. It is unpredictable, so no content contains it.
  init(boundary: @escaping () -> String = FormWriter.randomBoundary) {
    self.boundary = boundary
  }

  /// Generates a boundary like curl's: 24 dashes, and 16 unpredictable hexadecimal digits.
  static func randomBoundary() -> String {
    String(repeating: "-", count: 24) + UInt64.random(in: 0...UInt64.max).hexadecimal(16)
  }

  /// The whole body.
  var body: RequestBody {
    guard !pieces.isEmpty else { return .bytes(bytes) }
    return .sequence(pieces + (bytes.isEmpty ? [] : [.bytes(bytes)]))
  }

  /// Writes parts and the boundaries between them.
  ///
  /// - Returns: the boundary.
  mutating func write(_ parts: [FormPart], disposition: String) -> String {
    let boundary = boundary()
    for (index, part) in parts.enumerated() {
      write((index > 0 ? "\r\n" : "") + "--\(boundary)\r\n")
      write(part, disposition)
    }
    write((parts.isEmpty ? "" : "\r\n") + "--\(boundary)--\r\n")
    return boundary
  }

  private mutating func write(_ part: FormPart, _ disposition: String) {
    switch part.content {
    case .body(let body):
      write(part.header(disposition, boundary: nil) + "\r\n")
      append(body)
    case .parts(let parts):
      // The part's header contains the inner boundary, which is known once the inner parts are written.
      var inner = FormWriter(boundary: boundary)
      let boundary = inner.write(parts, disposition: FormBody.disposition(of: part.mediaType ?? ""))
      write(part.header(disposition, boundary: boundary) + "\r\n")
      append(inner.body)
    }
  }

  private mutating func write(_ text: String) { bytes += text.utf8 }

  private mutating func append(_ body: RequestBody) {
    switch body {
    case .bytes(let more): bytes += more
    case .sequence(let bodies): for body in bodies { append(body) }
    default:
      if !bytes.isEmpty { pieces.append(.bytes(bytes)) }
      bytes = []
      pieces.append(body)
    }
  }
}
