import FoundationEssentials
import SystemPackage

/// A file with a private key, which nobody but its owner may read.
public struct AssertionKeyFile: Sendable {
  private let path: String

  /// Names the file.
  public init(_ path: String) {
    self.path = path
  }

  /// What the file is called in messages.
  public var name: String { "the key \(Printable.text(path))" }

  /// Reads the file.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it can't be read, or others can read it.
  public func read() throws(AuthError) -> Secret {
    try refuseOpenModes()
    let bytes: [UInt8]?
    do {
      bytes = try contents()
    } catch {
      throw .usage(.init(name, why: "it can't be read: \(error)", hint: "check the path and the file's owner"))
    }
    guard let bytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage(.init(name, why: "it is no text of a key", hint: "give the private key as PEM or as a JWK"))
    }
    return Secret(text)
  }

  /// As ssh does with its keys. A pipe has no others that could read it.
  private func refuseOpenModes() throws(AuthError) {
    let target = URL(filePath: path).resolvingSymlinksInPath().path
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: target)
    } catch {
      throw .usage(.init(name, why: "there is no such file to be read", hint: "check the path and the file's owner"))
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular, let mode = attributes[.posixPermissions] as? Int,
      mode & 0o077 != 0
    else { return }
    throw .usage(
      .init(
        name, why: "others than its owner may read or change it (mode \(String(mode & 0o777, radix: 8)))",
        hint: "run: chmod 600 \(Printable.text(path))"))
  }

  /// Nil where it is far too large for a key.
  private func contents() throws -> [UInt8]? {
    let file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    return try file.closeAfter { try Spool(file, folder: "/").readAhead() }
  }
}
