import AuthCore
import HTTPTypes

/// Assembles the header of the final response from its lines, and the trailer after the body.
struct ResponseReader {
  /// The response received so far, without its body.
  private(set) var response = TransferResponse(status: 0)
  /// The maximum total size of the headers of one request's responses, in bytes: the limit of the curl tool. Interim
  /// responses count, too.
  static let headerLimit = 300_000
  /// Whether the headers exceed the limit.
  var hasTooLargeHeader: Bool { headerCount > ResponseReader.headerLimit }
  /// The maximum number of lines of these headers: the limit of libcurl 8.14 and later, which earlier ones don't have.
  static let lineLimit = 5000
  /// Whether the headers have more lines.
  var hasTooManyLines: Bool { lineCount > ResponseReader.lineLimit }
  /// The maximum size of a trailer, in bytes: libcurl's limit for a header.
  static let trailerLimit = 300 << 10
  /// Whether the trailer exceeds the limit.
  var hasTooMuchTrailer: Bool { response.rawTrailer.count > ResponseReader.trailerLimit }
  /// Whether the header of the final response is complete.
  private(set) var isComplete = false

  private let latest: LatestHeader
  private var headerCount = 0
  private var lineCount = 0

  /// - Parameter latest: the header of the response before, from which fields are taken over.
  init(after latest: LatestHeader = LatestHeader()) {
    self.latest = latest
  }

  /// Reads one line with its end.
  ///
  /// - Returns: true if the line ends the header of the final response.
  mutating func take(_ line: Span<UInt8>) -> Bool {
    let isStatusLine = ResponseReader.isStatusLine(line)
    guard !isComplete || isStatusLine && response.status == 417 else {
      line.append(to: &response.rawTrailer)
      return false
    }
    headerCount += line.count
    lineCount += 1
    // A new status line: the lines before it were an interim response (RFC 9110, section 15.2), or a 417 after which
    // libcurl has sent the request again.
    if isStatusLine {
      isComplete = false
      response = TransferResponse(status: 0)
      response.rawHeader.reserveCapacity(1 << 10)
    }
    line.append(to: &response.rawHeader)
    if isStatusLine { response.status = ResponseReader.status(in: response.rawHeader) }
    guard ResponseReader.isBlank(line), response.status >= 200 else { return false }
    response.fields = latest.fields(of: response.rawHeader)
    isComplete = true
    return true
  }

  private static func isStatusLine(_ line: Span<UInt8>) -> Bool {
    guard line.count >= protocolName.count else { return false }
    for index in protocolName.indices where line[index] != protocolName[index] { return false }
    return true
  }

  private static let protocolName = Array("HTTP/".utf8)

  private static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where !isSpace(line[index]) { return false }
    return true
  }

  /// Returns the trimmed lines of a header after the status line.
  fileprivate static func lines(in header: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    lines.reserveCapacity(20)
    var rest = header[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      rest = rest[(end + 1)...]
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t"),
        let last = lines.indices.last
      {
        // A folded line (RFC 9112, section 5.2) belongs to the field before it.
        lines[last] += [UInt8(ascii: " ")] + trim(line)
      } else {
        lines.append(trim(line))
      }
    }
    return lines
  }

  /// Returns the three digits of `HTTP/1.1 200 OK` (RFC 9112, section 4); 0 if there are none.
  private static func status(in line: [UInt8]) -> Int {
    let space = UInt8(ascii: " ")
    let word = line.drop { $0 != space }.drop { $0 == space }.prefix { $0 != space }
    return Int(String(decoding: trim(word), as: UTF8.self)) ?? 0
  }

  /// Reads a field; nil if it is malformed, and stays in the raw header only.
  fileprivate static func field(in line: ArraySlice<UInt8>) -> HTTPField? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
    else { return nil }
    let value = trim(line[(colon + 1)...])
    guard HTTPField.isValidValue(value) else { return nil }
    // To check that bytes are UTF-8 takes five times as long as to see that they are ASCII, as they nearly always are.
    guard !value.allSatisfy({ $0 < 0x80 }) else {
      return HTTPField(name: name, value: String(decoding: value, as: UTF8.self))
    }
    return HTTPField(name: name, value: value)
  }

  private static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return bytes[first...last]
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
  }
}

/// The fields of the header that was read last. Responses of one server mostly differ in few lines: the others are not
/// parsed again.
final class LatestHeader {
  private var header: [UInt8] = []
  private var lines: [(text: ArraySlice<UInt8>, field: HTTPField?)] = []
  private var fields: HTTPFields = [:]

  /// Returns the fields of a header with its status line.
  func fields(of header: [UInt8]) -> HTTPFields {
    guard header != self.header else { return fields }
    self.header = header
    let former = lines
    lines = ResponseReader.lines(in: header).enumerated().map { index, text in
      if index < former.count, former[index].text == text { return (text, former[index].field) }
      return (text, ResponseReader.field(in: text))
    }
    fields = HTTPFields(lines.compactMap(\.field))
    return fields
  }
}
