import Crypto
public import FoundationEssentials
import SystemPackage

/// Where the tokens of a session live, and the lock that its processes take before one of them refreshes: a refresh
/// token must not be sent twice.
public struct SessionStorage: Sendable {
  /// Creates the storage and the lock of the session with a name.
  let opened: @Sendable (_ session: String) -> (tokens: any TokenStorage, lock: any RefreshLock)

  private init(_ opened: @escaping @Sendable (String) -> (tokens: any TokenStorage, lock: any RefreshLock)) {
    self.opened = opened
  }

  /// Tokens in the memory of the process; each session has a memory of its own.
  public static var memory: SessionStorage { SessionStorage { _ in (MemoryTokenStorage(), ProcessLock()) } }

  /// Tokens in a sealed file for each session (ChaCha20-Poly1305), for a machine without a keyring. Its name is the
  /// session's, with a lock file beside it.
  ///
  /// What can't be read or written is an ``AuthError/storage(_:_:)`` of the first use: a wrong key, too.
  ///
  /// - Parameters:
  ///   - folder: the folder of the files, which is created when needed; only its owner may write to it.
  ///   - key: 32 random bytes.
  public static func file(_ folder: URL, key: Data) -> SessionStorage {
    SessionStorage { session in
      let (folder, name) = (FilePath(folder.path), fileName(session))
      let store = SealedFileStore(
        in: folder, profile: name, key: .bytes(key), lock: FileLock(folder.appending(".write.\(name)")))
      return (
        SecretTokenStorage(store, profile: name), StorageLock(FileLock(folder.appending(".lock.\(name)")))
      )
    }
  }

  /// Tokens in a storage of the program's own, for one session: it does not know the session's name.
  ///
  /// - Parameter lock: a ``FileLock`` if several processes share the tokens; nil if only this process uses them.
  public static func custom(_ storage: any TokenStorage, lock: (any RefreshLock)? = nil) -> SessionStorage {
    let lock = lock ?? ProcessLock()
    return SessionStorage { _ in (storage, lock) }
  }

  /// Tokens in a store for the secrets of several programs.
  ///
  /// The item is that of the application and the session's name. The lock is a file with the same two names in
  /// `$XDG_STATE_HOME`, else in `~/.local/state`: it holds for all processes that have the same folder there.
  ///
  /// - Parameter application: the name of the program, such as `com.example.app`.
  package static func items(of application: String, in store: any SecretStore) -> SessionStorage {
    SessionStorage { session in
      let locks = stateFolder.appending(fileName(application)).appending("locks")
      return (
        SecretTokenStorage(store, profile: session), FileLock(locks.appending("\(fileName(session)).lock"))
      )
    }
  }

  private static var stateFolder: FilePath {
    func folder(_ name: String) -> FilePath? {
      ProcessInfo.processInfo.environment[name].map { FilePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
    }
    let home = folder("HOME") ?? FilePath(FileManager.default.homeDirectoryForCurrentUser.path)
    return folder("XDG_STATE_HOME") ?? home.appending(".local").appending("state")
  }

  /// Returns the name of a session as the name of a file: what might mean something else is escaped as in a URL.
  static func fileName(_ session: String) -> String {
    let name = FormEncoding.percentEncode(session)
    // File systems take 255 bytes with what is added. The hash of a longer name is as good.
    guard (1...200).contains(name.utf8.count) else {
      return "%%" + SHA256.hash(data: Array(session.utf8)).map { $0.hexadecimal(2) }.joined()
    }
    return name.utf8.first == UInt8(ascii: ".") ? "%2E" + name.dropFirst() : name
  }
}
