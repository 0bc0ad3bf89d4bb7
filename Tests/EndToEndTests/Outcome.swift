import Foundation

/// How a program has ended.
struct Outcome: Sendable {
  /// The exit status; minus the signal where one ended it.
  let status: Int32
  /// What it has written to standard output.
  let output: Data
  /// What it has written to standard error.
  let error: String
  /// How long it ran, in seconds.
  let seconds: Double

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard output as a JSON object.
  /// - Throws: `CocoaError` where it is none.
  func json() throws -> JSONObject { try JSONObject(output) }

  /// The object in the member `error` of the JSON on standard error.
  /// - Throws: `CocoaError` where there is none.
  func errorJSON() throws -> JSONObject { try JSONObject(Data(error.utf8)).object("error") }
}
