import AuthCore
import HTTPTypes
import Synchronization

/// Formats a response's body for standard output: indented JSON, and no binary data on a terminal.
final class ResponseView: Sendable {
  /// The number of printed bytes within which binary data is detected, as in curl.
  private static let guarded = 2000

  private struct State {
    var layout: JSONFlow?
    var count = 0
  }

  private let isTerminal: Bool
  private let state: Mutex<State>

  /// Creates a view; nil if the body is printed unchanged.
  init?(of response: TransferResponse, at place: OutputPlace, isRaw: Bool, _ context: Context) {
    isTerminal = context.console.terminals.output
    // Output to a pipe is coloured only if the user requests it; then JSON is also laid out.
    let colour = context.verbosity.colour.output
    let isWanted = isTerminal || colour
    guard place == .standardOutput, isWanted else { return nil }
    let isLaidOut = ResponseView.isJSON(response) && !isRaw
    guard isTerminal || isLaidOut else { return nil }
    state = Mutex(State(layout: isLaidOut ? JSONFlow(JSONLayout(colour: colour)) : nil))
  }

  /// Returns the output for the next part of the body.
  ///
  /// - Throws: ``CLIError/transfer(_:)`` if it is binary.
  func shown(_ part: [UInt8]) throws(CLIError) -> [UInt8] {
    try state.withLock { state throws(CLIError) in
      try checked(state.layout?.take(part) ?? part, &state)
    }
  }

  /// Returns the output at the end: JSON that is incomplete.
  ///
  /// - Throws: ``CLIError/transfer(_:)`` if it is binary.
  func rest() throws(CLIError) -> [UInt8] {
    try state.withLock { state throws(CLIError) in
      try checked(state.layout?.end() ?? [], &state)
    }
  }

  private func checked(_ bytes: [UInt8], _ state: inout State) throws(CLIError) -> [UInt8] {
    if isTerminal, state.count < ResponseView.guarded, bytes.contains(0) {
      throw .transfer(
        .failed(
          "printing the response", why: "it is binary, which can disturb the terminal",
          hint: "save it: -o FILE; or print it anyway: -o -"))
    }
    state.count += bytes.count
    return bytes
  }

  /// Returns whether the `Content-Type` is JSON (RFC 8259, section 11; `+json`: RFC 6839, section 3.1), not a JSON
  /// stream.
  private static func isJSON(_ response: TransferResponse) -> Bool {
    guard let field = response.fields[.contentType] else { return false }
    let type = field.prefix(upToAny: ";").trimming(anyOf: " \t").lowercased()
    return type == "application/json" || type == "text/json" || type.ends(withBytes: "+json")
  }
}
