import AuthCore
import FoundationEssentials
import HTTPTypes

/// The output of a batch for a line: one JSON object.
struct BatchRecord {
  private var json = JSONLine()

  /// Creates a record with the line's number, from 1, and its URL, if known.
  init(line: Int, url: WebURL?) {
    json.add("line", line)
    if let url { json.add("url", url.string) }
  }

  /// Returns the output line for a response, with its line feed.
  ///
  /// - Parameter time: the time from the start of the first request to the end of the response.
  func line(_ response: TransferResponse, time: Duration) -> [UInt8] {
    var json = json
    json.add("status", response.status)
    json.add("headers", BatchRecord.members(response.fields))
    if let text = String(validating: response.body, as: UTF8.self) {
      json.add("body", text)
    } else {
      json.add("body_base64", Data(response.body).base64EncodedString())
    }
    json.add("time", seconds: time)
    return json.line
  }

  /// Returns the output line for a failure, with its line feed.
  func line(_ report: ErrorReport) -> [UInt8] {
    var json = json
    json.add("error", report.object)
    return json.line
  }

  /// Returns the fields by their names in lower case, in the order of the first of each.
  private static func members(_ fields: HTTPFields) -> [(name: String, values: [String])] {
    var members: [(name: String, values: [String])] = []
    for field in fields {
      let name = field.name.canonicalName
      if let index = members.firstIndex(where: { $0.name == name }) {
        members[index].values.append(field.value)
      } else {
        members.append((name, [field.value]))
      }
    }
    return members
  }
}
