public import Foundation

/// Files of the kernel's, such as those in `/proc`, which say that they are empty.
public enum KernelFile {
  /// Returns the content; `Data(contentsOf:)` reads one page of it.
  public static func bytes(_ path: String) throws -> Data {
    try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() ?? Data()
  }

  /// Returns the content as text.
  public static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }
}
