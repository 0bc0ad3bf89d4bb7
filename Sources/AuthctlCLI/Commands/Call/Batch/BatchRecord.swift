import AuthCore
import FoundationEssentials
import HTTPTypes

/// The output of a batch for a line: one JSON object.
struct BatchRecord {
  private let number: Int
  private let url: WebURL?

  /// Creates a record with the line's number, from 1, and its URL, if known.
  init(line number: Int, url: WebURL?) {
    self.number = number
    self.url = url
  }

  /// Returns the output line for a response, with its line feed.
  ///
  /// - Parameter time: the time from the start of the first request to the end of the response.
  func line(_ response: TransferResponse, time: Duration) -> [UInt8] {
    // The rest: punctuation and escapes.
    var json = begun(size: response.rawHeader.count + response.body.count + 512)
    json.add("status", response.status)
    json.add("headers", BatchRecord.members(response.fields))
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

  /// Returns the fields by their names in lower case, in the order of the first of each.
  private static func members(_ fields: HTTPFields) -> [(name: String, value: String, others: [String])] {
    var members: [(name: String, value: String, others: [String])] = []
    members.reserveCapacity(fields.count)
    var places: [String: Int] = [:]
    places.reserveCapacity(fields.count)
    for field in fields {
      let name = field.name.canonicalName
      if let place = places.updateValue(members.count, forKey: name) {
        members[place].others.append(field.value)
        places[name] = place
      } else {
        members.append((name, field.value, []))
      }
    }
    return members
  }
}
