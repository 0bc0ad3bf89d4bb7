import FoundationEssentials
import Glibc
package import SystemPackage

/// A random number in the first line of a profile's lock file, which makes cached tokens valid.
///
/// Each change of the stored tokens erases it first, under the lock. The next process that caches a token creates
/// another one. A file without it makes no cached token valid.
package struct Generation: Sendable, Equatable {
  /// 128 random bits as hexadecimal digits.
  package let text: String

  /// The length of the line in bytes, with its end.
  static let lineLength = 33

  /// Creates a new generation.
  init() {
    text = (0..<2).map { _ in UInt64.random(in: .min ... .max).hexadecimal(16) }.joined()
  }

  /// Reads the generation of a lock file, without the lock; nil if it has none or can't be read.
  package init?(in path: FilePath) {
    // A path that is not a file must not block.
    let options: FileDescriptor.OpenOptions = [.closeOnExec, .noFollow, .nonBlocking]
    // A file that can't be read has no generation.
    guard let file = try? FileDescriptor.open(path, .readOnly, options: options) else { return nil }
    // Nothing is lost: it is only read.
    defer { try? file.close() }
    self.init(in: file)
  }

  /// Reads the generation of an open lock file; nil if it has none.
  init?(in file: FileDescriptor) {
    guard let line = Generation.line(of: file), line[0] != Generation.erasedDigit else { return nil }
    text = String(decoding: line.dropLast(), as: UTF8.self)
  }

  /// The bytes of the line.
  var line: [UInt8] { text.utf8 + [UInt8(ascii: "\n")] }

  /// The line of a file whose generation is erased.
  static let erasedLine = [UInt8](repeating: erasedDigit, count: lineLength - 1) + [UInt8(ascii: "\n")]

  private static let erasedDigit = UInt8(ascii: "-")

  /// Returns whether a file begins with the line, whether or not its generation is erased.
  static func hasLine(_ bytes: some Collection<UInt8>) -> Bool {
    let line = bytes.prefix(lineLength)
    guard line.count == lineLength, Array(line)[lineLength - 1] == UInt8(ascii: "\n") else { return false }
    let digits = line.dropLast()
    let isNumber = digits.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
    return isNumber || digits.allSatisfy { $0 == erasedDigit }
  }

  /// Returns the content of a file after the line; all of it if it has none.
  static func rest(of content: some Collection<UInt8>) -> Data {
    Data(hasLine(content) ? content.dropFirst(lineLength) : content.dropFirst(0))
  }

  /// Returns the line of an open file; nil if it has none.
  static func line(of file: FileDescriptor) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: lineLength)
    // A file that can't be read has no line.
    let count = try? unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(fromAbsoluteOffset: 0, into: $0) }
    return count == lineLength && hasLine(bytes) ? bytes : nil
  }
}

extension LockHandle {
  /// Returns the generation of the locked file, and creates it if there is none; nil if the lock is not in the file
  /// system or the file can't be written.
  func currentGeneration() -> Generation? {
    guard let file else { return nil }
    if let generation = Generation(in: file) { return generation }
    let (generation, note) = (Generation(), note)
    do throws(Errno) {
      try write(generation.line, isFirst: Generation.line(of: file) == nil)
      // The note was where the line is now.
      if let note, !note.isEmpty { try leave(note) }
      return generation
    } catch {
      return nil
    }
  }

  /// Erases the generation, before the stored tokens are changed: no token that was cached before is valid any more.
  func eraseGeneration(reportingTo events: EventHandler) {
    guard let file, Generation(in: file) != nil else { return }
    do throws(Errno) { try write(Generation.erasedLine, isFirst: false) } catch {
      // An empty file has no generation either.
      guard ftruncate(file.rawValue, 0) != 0 else { return }
      events(.warning("cached tokens of this session can't be made invalid: \(error)"))
    }
  }

  private func write(_ line: [UInt8], isFirst: Bool) throws(Errno) {
    guard let file else { return }
    guard !isFirst || ftruncate(file.rawValue, 0) == 0 else { throw Errno(rawValue: errno) }
    do {
      _ = try file.writeAll(toAbsoluteOffset: 0, line)
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }
}
