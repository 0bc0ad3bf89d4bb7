public import Foundation
public import Testing

/// How a program has ended.
public struct Outcome: Sendable {
  /// The exit status; minus the signal that ended it.
  public let status: Int32
  /// What it has written to standard output.
  public let output: Data
  /// What it has written to standard error.
  public let error: String
  /// How long it ran, in seconds.
  public let seconds: Double

  /// States how a program has ended.
  public init(status: Int32, output: Data, error: String, seconds: Double) {
    self.status = status
    self.output = output
    self.error = error
    self.seconds = seconds
  }

  /// Standard output as text.
  public var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard output as a JSON object.
  /// - Throws: `CocoaError` if it is none.
  public func json() throws -> JSONObject { try JSONObject(output) }

  /// The object in the member `error` of the JSON on standard error.
  /// - Throws: `CocoaError` if there is none.
  public func errorJSON() throws -> JSONObject { try JSONObject(Data(error.utf8)).object("error") }

  /// Records an issue unless it has ended with this status, and standard error contains these texts.
  ///
  /// A plain function: each use of a macro takes 13 ms to compile.
  public func expect(_ status: Int32, error parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    if self.status != status {
      Issue.record("status \(self.status), not \(status): \(error)", sourceLocation: sourceLocation)
    }
    for part in parts where !error.contains(part) {
      Issue.record("'\(part)' is missing: \(error)", sourceLocation: sourceLocation)
    }
  }
}
