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
  /// The maximum size of a trailer, in bytes: libcurl's limit for a header.
  static let trailerLimit = 300 << 10
  /// Whether the trailer exceeds the limit.
  var hasTooMuchTrailer: Bool { response.rawTrailer.count > ResponseReader.trailerLimit }
  /// Whether the header of the final response is complete.
  private(set) var isComplete = false

  private var headerCount = 0
  private var lines: [[UInt8]] = []

  /// Reads one line with its end.
  ///
  /// - Returns: true if the line ends the header of the final response.
  mutating func take(_ line: [UInt8]) -> Bool {
    let isStatusLine = line.starts(with: Array("HTTP/".utf8))
    guard !isComplete || isStatusLine && response.status == 417 else {
      response.rawTrailer += line
      return false
    }
    headerCount += line.count
    // A new status line: the lines before it were an interim response (RFC 9110, section 15.2), or a 417 after which
    // libcurl has sent the request again.
    if isStatusLine {
      isComplete = false
      response = TransferResponse(status: ResponseReader.status(in: line))
      lines = []
    } else if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t"), !lines.isEmpty {
      // A folded line (RFC 9112, section 5.2) belongs to the field before it.
      lines[lines.count - 1] += [UInt8(ascii: " ")] + ResponseReader.trim(line[...])
    } else {
      lines.append(Array(ResponseReader.trim(line[...])))
    }
    response.rawHeader += line
    guard ResponseReader.trim(line[...]).isEmpty, response.status >= 200 else { return false }
    response.fields = HTTPFields(lines.compactMap { ResponseReader.field(in: $0) })
    isComplete = true
    return true
  }

  /// Returns the three digits of `HTTP/1.1 200 OK` (RFC 9112, section 4); 0 if there are none.
  private static func status(in line: [UInt8]) -> Int {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count > 1 else { return 0 }
    return Int(String(decoding: trim(words[1]), as: UTF8.self)) ?? 0
  }

  /// Reads a field; nil if it is malformed, and stays in the raw header only.
  private static func field(in line: [UInt8]) -> HTTPField? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
    else { return nil }
    let value = Array(trim(line[(colon + 1)...]))
    return HTTPField.isValidValue(value) ? HTTPField(name: name, value: value) : nil
  }

  private static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0D, 0x0A].contains(byte) }
    let start = bytes.drop(while: isSpace)
    return start.prefix(start.count - start.reversed().prefix(while: isSpace).count)
  }
}
