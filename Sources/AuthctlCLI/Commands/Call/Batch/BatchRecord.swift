import AuthCore
import FoundationEssentials
import HTTPTypes
import Synchronization

/// The output of a batch for a line: one JSON object.
struct BatchRecord {
  private let number: Int
  private let url: WebURL?
  private let headers: LatestHeaders

  /// Creates a record with the line's number, from 1, and its URL, if known.
  ///
  /// - Parameter headers: the headers of the record before.
  init(line number: Int, url: WebURL?, _ headers: LatestHeaders = LatestHeaders()) {
    self.number = number
    self.url = url
    self.headers = headers
  }

  /// Returns the output line for a response, with its line feed.
  ///
  /// - Parameter time: the time from the start of the first request to the end of the response.
  func line(_ response: TransferResponse, time: Duration) -> [UInt8] {
    // The rest: punctuation and escapes.
    var json = begun(size: response.rawHeader.count + response.body.count + 512)
    json.add("status", response.status)
    json.add("headers", json: headers.object(of: response))
    if let text = String(validating: response.body, as: UTF8.self) {
      json.add("body", text)
    } else {
      json.add("body_base64", Data(response.body).base64EncodedString())
    }
    json.add("time", seconds: time)
    return json.ended()
  }

  /// Returns the output line for a failure, with its line feed.
  func line(_ report: ErrorReport) -> [UInt8] {
    var json = begun(size: 512)
    json.add("error", report.object)
    return json.ended()
  }

  private func begun(size: Int) -> JSONLine {
    var json = JSONLine(size: size)
    json.add("line", number)
    if let url { json.add("url", url.string) }
    return json
  }
}

/// The headers of the response that was written last, as JSON: the next response often has the same.
final class LatestHeaders: Sendable {
  private struct Known {
    var header: [UInt8] = []
    var object: [UInt8] = []
  }

  private let known = Mutex(Known())

  /// Returns the fields of a response as a JSON object whose members are arrays of strings.
  func object(of response: TransferResponse) -> [UInt8] {
    let header = response.rawHeader
    if !header.isEmpty, let object = known.withLock({ $0.header == header ? $0.object : nil }) { return object }
    let object = LatestHeaders.object(of: response.fields)
    known.withLock { $0 = Known(header: header, object: object) }
    return object
  }

  private static func object(of fields: HTTPFields) -> [UInt8] {
    var json = JSONWriter()
    json.append(mark: "{")
    for (name, values) in members(fields) {
      json.begin(name)
      json.append(mark: "[")
      for (index, value) in values.enumerated() {
        if index > 0 { json.append(mark: ",") }
        json.append(value)
      }
      json.append(mark: "]")
    }
    json.append(mark: "}")
    return json.bytes
  }

  /// Returns the fields by their names in lower case, in the order of the first of each.
  private static func members(_ fields: HTTPFields) -> [(name: String, values: [String])] {
    var members: [(name: String, values: [String])] = []
    members.reserveCapacity(fields.count)
    var places: [String: Int] = [:]
    places.reserveCapacity(fields.count)
    for field in fields {
      let name = field.name.canonicalName
      if let place = places.updateValue(members.count, forKey: name) {
        members[place].values.append(field.value)
        places[name] = place
      } else {
        members.append((name, [field.value]))
      }
    }
    return members
  }
}
