import AuthCore
import Glibc
import HTTPServer
import SystemPackage

/// The listening socket of the proxy: on the loopback interface, or a unix socket.
struct GatewayListener: Sendable {
  /// The open socket.
  let socket: FileDescriptor
  /// The address as a client writes it: `http://127.0.0.1:8080`, or `unix:/run/user/1000/authctl.sock`.
  let address: String
  /// The values of `Host` that name it; nil for any, on a unix socket.
  let hosts: Set<String>?
  private let file: FilePath?
  /// The number of the file of a unix socket: another proxy may have one of the same name since.
  private let inode: UInt64?

  /// Where to listen, as the command line states it.
  enum Place: Sendable, Equatable {
    case tcp(host: String, port: UInt16)
    case unix(FilePath)

    /// Reads `127.0.0.1:8080`, `[::1]:0`, `localhost:8080`, `8080` or `unix:/path`.
    ///
    /// - Throws: ``AuthError/usage(_:)`` if it is another address: the proxy is for this machine only.
    init(_ text: String) throws(AuthError) {
      if let path = text.dropping(prefix: "unix:") {
        guard path.starts(withBytes: "/"), path.utf8.count < 100, !path.contains(bytes: "\0") else {
          throw Place.invalid(text, "a socket needs an absolute path of less than 100 bytes")
        }
        self = .unix(FilePath(String(path)))
        return
      }
      let colon = text.lastIndex(ofAny: ":")
      let host = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
      guard let port = UInt16(colon.map { String(text.suffix(after: $0)) } ?? text), !text.contains(anyOf: "+") else {
        throw Place.invalid(text, "it has no port from 0 to 65535")
      }
      guard ["127.0.0.1", "localhost", "[::1]"].contains(host) else {
        throw Place.invalid(text, "the proxy listens on this machine only")
      }
      self = .tcp(host: host == "localhost" ? "127.0.0.1" : host, port: port)
    }

    private static func invalid(_ text: String, _ why: String) -> AuthError {
      .usage(
        "--listen \(Escaped.text(text, limit: 120))", why: why,
        hint: "use 127.0.0.1:PORT, [::1]:PORT, or unix:/PATH")
    }
  }

  /// Opens the socket.
  ///
  /// - Parameter isForOthers: whether other users may connect to a unix socket; the proxy checks who they are.
  /// - Throws: ``AuthError/tryLater(_:)`` if the address is in use, ``AuthError/failed(_:)`` if it can't be used.
  init(_ place: Place, isForOthers: Bool) throws(AuthError) {
    do throws(Errno) {
      switch place {
      case .tcp(let host, let port):
        let (socket, port) = try ListeningSocket.tcp(host == "[::1]" ? .ip6 : .ip4, port: port)
        self.socket = socket
        address = "http://\(host):\(port)"
        hosts = GatewayListener.hosts(host, port)
        file = nil
      case .unix(let path):
        socket = try ListeningSocket.unix(
          path, mode: isForOthers ? [.ownerReadWrite, .groupReadWrite, .otherReadWrite] : .ownerReadWrite)
        address = "unix:\(path)"
        hosts = nil
        file = path
      }
      inode = file.flatMap { GatewayListener.inode(of: $0) }
    } catch {
      throw GatewayListener.failure(place, error)
    }
  }

  /// Takes a socket that the service manager has opened. Its file stays when the proxy ends.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if others than this machine can reach it.
  init(inherited socket: FileDescriptor) throws(AuthError) {
    self.socket = socket
    (file, inode) = (nil, nil)
    switch ListeningSocket.place(of: socket) {
    case .loopback(let host, let port):
      address = "http://\(host):\(port)"
      hosts = GatewayListener.hosts(host, port)
    case .unix(let path):
      address = "unix:\(path)"
      hosts = nil
    case .unusable:
      throw .usage(
        "the socket of the service", why: "it does not listen on this machine only",
        hint: "in the .socket unit: ListenStream= with 127.0.0.1:PORT, [::1]:PORT or a path, and Accept=no")
    }
  }

  /// Returns the values of `Host` that name a TCP socket: at port 80, clients leave the port out.
  private static func hosts(_ host: String, _ port: UInt16) -> Set<String> {
    let names = ["127.0.0.1", "localhost", "[::1]", host]
    return Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
  }

  /// Removes the file of a unix socket. Another process may have done so already.
  func remove() {
    guard let file, inode == GatewayListener.inode(of: file) else { return }
    _ = unsafe file.withPlatformString { unsafe unlink($0) }
  }

  private static func inode(of path: FilePath) -> UInt64? {
    (try? path.stat(followTargetSymlink: false)).map { UInt64($0.inode.rawValue) }
  }

  private static func failure(_ place: Place, _ error: Errno) -> AuthError {
    let name =
      switch place {
      case .tcp(let host, let port): "\(host):\(port)"
      case .unix(let path): Escaped.text("\(path)")
      }
    guard error == .addressInUse else {
      return .failed("listening on \(name)", why: "\(error)", hint: "check the address, and the folder of a socket")
    }
    return .tryLater("listening on \(name)", why: "it is in use", hint: "end the other process, or use another address")
  }
}
