import AuthCore
import SystemPackage

/// Puts the program's name into messages, and prints them as JSON lines if the caller reads JSON.
///
/// A message is a note that begins with `authctl: `; a warning begins with `authctl: warning: `.
struct MessageConsole: Console {
  private let base: any Console
  private let program: ProgramName
  private let asJSON: Bool
  private let isColoured: Bool
  private let line: OutputLine

  /// Creates the console in front of another one.
  ///
  /// - Parameter line: the line of standard output, which a message does not continue.
  init(_ base: any Console, program: ProgramName, asJSON: Bool, isColoured: Bool = false, line: OutputLine) {
    self.line = line
    self.base = base
    self.program = program
    self.asJSON = asJSON
    self.isColoured = isColoured
  }

  var input: FileDescriptor { base.input }
  var output: FileDescriptor { base.output }
  var terminals: Terminals { base.terminals }
  var sharesOutput: Bool { base.sharesOutput }
  var width: Int { base.width }
  var columns: Int { base.columns }

  func write(_ text: String) throws {
    try base.write(text)
    line.wrote(text.utf8)
  }

  func draw(_ text: String) { base.draw((line.close() ? "\n" : "") + text) }

  func showStatus(_ line: String?) {
    // With JSON errors, each line of standard error is an object.
    if !asJSON { base.showStatus(line) }
  }

  func takeEnter() -> Bool { base.takeEnter() }

  func takeInput() -> [UInt8]? { base.takeInput() }

  func setEcho(_ isShown: Bool) { base.setEcho(isShown) }

  func ask(_ prompt: String, echo: Bool) throws -> String? { try base.ask(prompt, echo: echo) }

  func withoutEcho<Result>(_ read: () throws -> Result) throws -> Result { try base.withoutEcho(read) }

  func note(_ line: String) {
    let isWarning = line.dropping(prefix: MessageConsole.prefix + MessageConsole.warning) != nil
    show(line, as: isWarning ? .warning : .plain)
  }

  func show(_ line: String, as tone: MessageTone) {
    let message = line.dropping(prefix: MessageConsole.prefix)
    guard asJSON else {
      let text = message.map { "\(program.text): " + program.named(hint: String($0)) } ?? line
      guard isColoured, tone != .plain else {
        if self.line.close() { base.draw("\n") }
        return base.note(text)
      }
      let lines = Escaped.lines(text).split(atAny: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return draw(String(lines[0]).tinted(tone.rawValue) + lines.dropFirst().map { "\n" + $0 }.joined() + "\n")
    }
    let text = program.named(hint: String(message ?? line[...])).trimming(anyOf: " \t\r\n")
    guard !text.isEmpty else { return }
    let warning = message == nil ? nil : text.dropping(prefix: MessageConsole.warning)
    let value = JSONValue.string(String(warning ?? text))
    // Only a string in an object: encoding can't fail.
    draw(((try? JSONValue.object([warning == nil ? "note" : "warning": value]).text()) ?? "{}") + "\n")
  }

  private static let prefix = ProgramName.standard.text + ": "
  private static let warning = "warning: "
}
