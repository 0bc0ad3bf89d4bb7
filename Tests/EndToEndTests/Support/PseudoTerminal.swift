import Foundation
import Glibc
import Synchronization
import TestSupport

/// A terminal at which a test sits.
final class PseudoTerminal: Sendable {
  /// The path of the side that a program opens.
  let path: String
  private let master: FileHandle
  /// The beginning of a character whose end has not been read yet.
  private let unfinished = Mutex(Data())

  /// Opens one.
  /// - Throws: `SessionError` where the system has none left.
  init() throws {
    var (descriptor, other): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    guard unsafe openpty(&descriptor, &other, &name, nil, nil) == 0 else { throw SessionError("no pseudo-terminal") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    close(other)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Types a text.
  func type(_ text: String) throws { try master.write(contentsOf: Data(text.utf8)) }

  /// Reads the screen until a text has appeared.
  /// - Throws: `SessionError` with what is there when the program has gone, or after the limit of ``Waiting``.
  func read(until text: String) throws -> String {
    let (screen, isThere) = try read { $0.contains(text) }
    guard isThere else { throw SessionError("'\(text)' did not appear; the screen: \(screen)") }
    return screen
  }

  /// Reads the screen until the program has gone.
  /// - Throws: `SessionError` after the limit of ``Waiting``.
  func readToEnd() throws -> String { try read { _ in false }.screen }

  private func read(until isEnough: (String) -> Bool) throws -> (screen: String, isEnough: Bool) {
    var (all, screen) = (unfinished.withLock { $0 }, "")
    let end = ContinuousClock.now.advanced(by: Waiting.limit)
    while ContinuousClock.now < end {
      var poll = pollfd(fd: master.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe Glibc.poll(&poll, 1, 50) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = unsafe Glibc.read(master.fileDescriptor, &bytes, bytes.count)
      // The system says EIO when the program has gone.
      guard count > 0 else { return (screen, false) }
      // As a whole: a character may come in two pieces.
      all += bytes.prefix(count)
      let whole = all.count - PseudoTerminal.unfinishedBytes(all)
      screen = String(decoding: all.prefix(whole), as: UTF8.self)
      unfinished.withLock { $0 = Data(all.dropFirst(whole)) }
      if isEnough(screen) { return (screen, true) }
    }
    throw SessionError("gave up waiting; the screen: \(screen)")
  }

  /// How many bytes at the end begin a character that has more bytes (RFC 3629, section 3).
  private static func unfinishedBytes(_ data: Data) -> Int {
    let continuations = data.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
    guard let lead = data.dropLast(continuations).last else { return 0 }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    return length > continuations + 1 ? continuations + 1 : 0
  }

  /// Whether what is typed is shown.
  var echoes: Bool {
    var settings = termios()
    return unsafe tcgetattr(master.fileDescriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }
}
