import Foundation
import Glibc
import TestSupport

/// A socket that takes the place of the bus. Nothing reads it: a connection to it stays in its queue.
final class BusSocket: Sendable {
  let path: String
  private let descriptor: Int32

  init(in folder: URL) throws {
    path = folder.appending(path: "trap").path
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      unsafe place.copyBytes(from: Array(path.utf8.prefix(place.count - 1)))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
    }
    guard bound == 0, listen(descriptor, 8) == 0 else { throw SessionError("no socket at \(path): \(errno)") }
  }

  deinit { close(descriptor) }

  /// Whether something has connected since the last question.
  var isTouched: Bool {
    let connection = accept(descriptor, nil, nil)
    guard connection >= 0 else { return false }
    close(connection)
    return true
  }
}
