import AuthCore
package import SystemPackage

/// Standard input, output and error, and the terminal behind them.
package protocol Console: Sendable {
  /// Standard input.
  var input: FileDescriptor { get }
  /// Standard output.
  var output: FileDescriptor { get }
  /// Whether standard input, output and error are terminals.
  var terminals: Terminals { get }
  /// Whether standard output and standard error are the same terminal, file or pipe.
  var sharesOutput: Bool { get }
  /// The width of text in columns: the terminal's, limited to a readable range.
  var width: Int { get }
  /// The width of the terminal in columns.
  var columns: Int { get }

  /// Writes data to standard output.
  ///
  /// - Throws: `Errno`; `.brokenPipe` if the reader has exited.
  func write(_ text: String) throws

  /// Writes a line to standard error; a failure is ignored.
  func note(_ line: String)

  /// Writes a message to standard error, its first line in the colour of what it is about.
  func show(_ line: String, as tone: MessageTone)

  /// Writes text to standard error unchanged, without adding a line end; a failure is ignored.
  func draw(_ text: String)

  /// Shows a line on the terminal of standard error, in place of the former one; nil removes it. Other output
  /// appears above it, and a signal that ends the program removes it.
  func showStatus(_ line: String?)

  /// Reads what was typed at the terminal, without waiting.
  ///
  /// - Returns: whether Enter was pressed. False in the background, where reading would stop the process.
  func takeEnter() -> Bool

  /// Reads what has arrived at standard input, without waiting.
  ///
  /// - Returns: nil at the end of input; nothing in the background, where reading would stop the process.
  func takeInput() -> [UInt8]?

  /// Sets whether the terminal of standard input shows what is typed, if it is one. Discards what has been typed.
  func setEcho(_ isShown: Bool)

  /// Reads a line from the terminal.
  ///
  /// - Parameter echo: whether the typed text is shown; false for a secret.
  /// - Returns: the line without its end; nil at the end of input.
  func ask(_ prompt: String, echo: Bool) throws -> String?

  /// Reads with echo turned off if standard input is a terminal.
  func withoutEcho<Result>(_ read: () throws -> Result) throws -> Result
}

/// Which of the standard streams are terminals.
package struct Terminals: Sendable {
  /// Standard input.
  package let input: Bool
  /// Standard output.
  package let output: Bool
  /// Standard error.
  package let error: Bool

  /// Creates the value.
  package init(input: Bool, output: Bool, error: Bool) {
    self.input = input
    self.output = output
    self.error = error
  }
}

/// What a message is about; its value is the parameter of the colour (ECMA-48, SGR).
package enum MessageTone: String, Sendable {
  /// Nothing special.
  case plain = "0"
  /// The command has done what it is for.
  case success = "32"
  /// A warning.
  case warning = "33"
  /// An error.
  case failure = "31"
}

extension Console {
  /// Writes a message without a colour.
  package func show(_ line: String, as tone: MessageTone) { note(line) }

  /// Reads all of standard input, at most ``Spool/memoryLimit`` bytes.
  ///
  /// - Parameter what: the subject of an error message.
  /// - Throws: ``AuthError/usage(_:)`` if there is more or it is not UTF-8, ``AuthError/failed(_:)`` if it can't be
  ///   read.
  func readAllInput(for what: String) throws(AuthError) -> String {
    let bytes: [UInt8]?
    do {
      bytes = try Spool(input, folder: "/").readAhead()
    } catch {
      throw .failed(what, why: "standard input can't be read: \(error)", hint: "redirect it from a file or a pipe")
    }
    guard let bytes else {
      throw .usage(what, why: "standard input has more than 1 MiB", hint: "pass only the value")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage(what, why: "standard input is not UTF-8 text", hint: "convert it to UTF-8")
    }
    return text
  }

  /// Reads a line from the terminal.
  ///
  /// - Parameters:
  ///   - what: the subject of an error message.
  ///   - hint: the remedy if the terminal can't be read.
  /// - Returns: the line without its end; nil at the end of input.
  /// - Throws: ``AuthError/tryLater(_:)`` if there is no response in time, ``AuthError/failed(_:)`` if the terminal
  ///   can't be read.
  func ask(_ prompt: String, echo: Bool, for what: String, hint: String) throws(AuthError) -> String? {
    do {
      return try ask(prompt, echo: echo)
    } catch let error as AuthError {
      throw error
    } catch {
      throw .failed(what, why: "the terminal can't be read: \(error)", hint: hint)
    }
  }

  /// Reads all of standard input, with echo turned off if it is a terminal.
  ///
  /// - Throws: as ``readAllInput(for:)``.
  func readAllSecretInput(for what: String) throws(AuthError) -> String {
    do {
      return try withoutEcho { try readAllInput(for: what) }
    } catch let error as AuthError {
      throw error
    } catch {
      throw .failed(what, why: "the terminal can't be read: \(error)", hint: "redirect it from a file or a pipe")
    }
  }
}
