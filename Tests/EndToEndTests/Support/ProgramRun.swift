import Foundation
import Glibc
import Synchronization
import TestSupport

/// A program that a test has started. What it writes goes to files, so that the test need not read while it runs.
final class ProgramRun: @unchecked Sendable {
  /// Its process id.
  let pid: pid_t
  private let folder: URL
  private let start = ContinuousClock.now
  private var ended: Outcome?
  // Kept open where the input is.
  private var held: FileHandle?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - environment: the whole of it.
  ///   - folder: an existing directory, in which a new one is made for the output.
  init(
    _ program: String, _ arguments: [String], input: ProgramInput = .nothing, environment: [String: String], folder: URL
  ) throws {
    self.folder = folder.appending(path: "run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    // A program that doesn't read its input must not be the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    let actions = FileActions()
    var pipe: (path: String, reading: FileHandle, writing: FileHandle)?
    switch input {
    case .nothing: actions.open(0, "/dev/null", O_RDONLY)
    case .pipe, .held:
      let made = try ProgramRun.makePipe(in: self.folder)
      actions.open(0, made.path, O_RDONLY)
      pipe = made
    case .terminal(let terminal), .screen(let terminal): actions.open(0, terminal.path, O_RDWR)
    }
    if case .screen = input {
      actions.duplicate(0, 1)
    } else {
      actions.open(1, self.folder.appending(path: "output").path, O_WRONLY | O_CREAT)
    }
    if input.isTerminal {
      actions.duplicate(0, 2)
    } else {
      actions.open(2, self.folder.appending(path: "error").path, O_WRONLY | O_CREAT | O_APPEND)
    }
    pid = try actions.spawn(program, arguments, environment: environment, inSession: input.isTerminal)
    try pipe?.reading.close()
    if case .held = input { held = pipe?.writing }
    if case .pipe(let bytes) = input, let pipe {
      let writing = pipe.writing
      Thread.detachNewThread {
        // Fails where the program does not want it all.
        try? writing.write(contentsOf: bytes)
        try? writing.close()
      }
    }
  }

  deinit {
    if ended == nil { kill(pid, SIGKILL) }
    _ = try? wait(seconds: 5)
  }

  /// What it has written to standard error so far.
  var errorSoFar: String { contents("error") }

  /// What it has written to standard output so far.
  var outputSoFar: String { contents("output") }

  /// Its arguments as everybody can see them.
  var commandLine: String {
    String(decoding: (try? Data(contentsOf: URL(filePath: "/proc/\(pid)/cmdline"))) ?? Data(), as: UTF8.self)
  }

  /// Writes to its input, where that is held open.
  func write(_ text: String) throws { try held?.write(contentsOf: Data(text.utf8)) }

  /// Ends its input, where that was held open.
  func closeInput() { try? held?.close() }

  /// Sends it a signal.
  func send(_ number: Int32) { kill(pid, number) }

  /// Waits until a server has said on one line of standard output that it serves, or has ended, and returns the line.
  /// - Throws: `SessionError` with its standard error where there is no such line.
  func waitUntilItServes(_ name: String) throws -> Data {
    try Waiting.until("\(name): \(errorSoFar)") { try hasEnded() || outputSoFar.hasSuffix("\n") }
    guard outputSoFar.hasSuffix("\n") else { throw SessionError("\(name) ended: \(ended?.error ?? errorSoFar)") }
    return Data(outputSoFar.utf8)
  }

  /// Waits until it has written something to standard error.
  /// - Throws: `SessionError` when it has not within the limit of ``Waiting``.
  func waitUntilError(contains text: String) throws {
    try Waiting.until("'\(text)' on standard error, which is: \(errorSoFar)") { errorSoFar.contains(text) }
  }

  /// Waits for its end.
  /// - Throws: `SessionError` where it takes longer than this; it is killed then.
  @discardableResult
  func wait(seconds: Double = 120) throws -> Outcome {
    while try !hasEnded() {
      if start.duration(to: .now) > .seconds(seconds) {
        kill(pid, SIGKILL)
        var raw: Int32 = 0
        unsafe waitpid(pid, &raw, 0)
        ended = outcome(raw)
        throw SessionError("it did not end within \(seconds) s; standard error: \(errorSoFar)")
      }
      usleep(2000)
    }
    guard let ended else { throw SessionError("it has ended without an outcome") }
    return ended
  }

  /// Looks whether it has ended; what it wrote is taken from its files then.
  /// - Throws: an error of the file system where these can't be removed.
  func hasEnded() throws -> Bool {
    guard ended == nil else { return true }
    var raw: Int32 = 0
    guard unsafe waitpid(pid, &raw, WNOHANG) != 0 else { return false }
    ended = outcome(raw)
    try FileManager.default.removeItem(at: folder)
    return true
  }

  private func outcome(_ raw: Int32) -> Outcome {
    let status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
    let duration = start.duration(to: .now) / .seconds(1)
    let output = (try? Data(contentsOf: folder.appending(path: "output"))) ?? Data()
    return Outcome(status: status, output: output, error: errorSoFar, seconds: duration)
  }

  private func contents(_ name: String) -> String {
    String(decoding: (try? Data(contentsOf: folder.appending(path: name))) ?? Data(), as: UTF8.self)
  }

  /// A named pipe: one without a name would be inherited by whatever another test starts at the same moment.
  private static func makePipe(in folder: URL) throws -> (path: String, reading: FileHandle, writing: FileHandle) {
    let path = folder.appending(path: "input").path
    guard unsafe mkfifo(path, 0o600) == 0 else { throw SessionError("no pipe") }
    // A reader must be there before a writer can be.
    let reading = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writing = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard reading >= 0, writing >= 0 else { throw SessionError("no pipe") }
    return (
      path, FileHandle(fileDescriptor: reading, closeOnDealloc: true),
      FileHandle(fileDescriptor: writing, closeOnDealloc: true)
    )
  }
}

extension ProgramInput {
  fileprivate var isTerminal: Bool {
    switch self {
    case .terminal, .screen: true
    case .nothing, .pipe, .held: false
    }
  }
}
