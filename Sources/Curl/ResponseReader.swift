import AuthCore
import HTTPTypes

/// Puts the final response's header together from its lines, and the trailer that may follow the body.
struct ResponseReader {
  /// The response as far as it is known; its body is elsewhere.
  private(set) var response = TransferResponse(status: 0)
  /// How large the headers of one request's responses may be in total, interim responses included, in bytes: as much as
  /// the curl tool accepts.
  static let headerLimit = 300_000
  /// Whether the headers are larger than that.
  var hasTooLargeHeader: Bool { headerCount > ResponseReader.headerLimit }
  /// How much of a trailer is kept, in bytes: as much as libcurl takes of a header.
  static let trailerLimit = 300 << 10
  /// Whether the trailer is longer than that.
  var hasTooMuchTrailer: Bool { response.rawTrailer.count > ResponseReader.trailerLimit }
  /// Whether the header of the final response has come whole.
  private(set) var isComplete = false

  private var headerCount = 0
  private var lines: [[UInt8]] = []

  /// Takes one line with its end.
  ///
  /// - Returns: true when the line ends the header of the final response.
  mutating func take(_ line: [UInt8]) -> Bool {
    let isStatusLine = line.starts(with: Array("HTTP/".utf8))
    guard !isComplete || isStatusLine && response.status == 417 else {
      response.rawTrailer += line
      return false
    }
    headerCount += line.count
    // A new status line: what came before was an interim answer (RFC 9110, section 15.2), or a 417 after which libcurl
    // has asked again.
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

  /// The three digits of `HTTP/1.1 200 OK` (RFC 9112, section 4); 0 where there are none.
  private static func status(in line: [UInt8]) -> Int {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count > 1 else { return 0 }
    return Int(String(decoding: trim(words[1]), as: UTF8.self)) ?? 0
  }

  /// Reads a field; nil for one that is malformed and stays in the raw header only.
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
