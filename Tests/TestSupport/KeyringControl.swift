import Foundation
import Glibc

/// The control socket of gnome-keyring-daemon, by which a login unlocks it.
public struct KeyringControl {
  /// The path of the socket.
  public let socket: String

  /// Creates one.
  public init(socket: String) {
    self.socket = socket
  }

  /// Unlocks the login collection.
  public func unlock(_ password: String) throws {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw SessionError("no socket") }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try connect(descriptor)
    // One byte, with which the credentials travel; then length, operation (1: unlock) and the password.
    let text = Data(password.utf8)
    let length = UInt32(12 + text.count)
    try handle.write(contentsOf: Data([0]))
    try handle.write(contentsOf: Self.word(length) + Self.word(1) + Self.word(UInt32(text.count)) + text)
    guard try handle.read(upToCount: 8) == Self.word(8) + Self.word(0) else {
      throw SessionError("the keyring did not take the password")
    }
  }

  private func connect(_ descriptor: Int32) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      guard socket.utf8.count < bytes.count else { return false }
      unsafe bytes.copyBytes(from: socket.utf8)
      return true
    }
    guard fits else { throw SessionError("the path of the socket is too long") }
    let outcome = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard outcome == 0 else { throw SessionError("the keyring's control socket does not answer: error \(errno)") }
  }

  private static func word(_ number: UInt32) -> Data {
    Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
  }
}
