import CKeys
import Glibc
import SystemPackage

/// A keyring of the kernel, from the view of this thread. Each use opens it again, which costs one system call.
struct KeyRing {
  /// The kind of keyring.
  enum Kind: Sendable {
    /// Outlives the user's last process by three days (persistent-keyring(7)).
    case persistent
    /// Belongs to all of the user's processes (user-keyring(7)).
    case user
    /// Belongs to this process, and ends with it (process-keyring(7)).
    case process
  }

  /// The type of a key that holds a secret.
  enum KeyType: String, CaseIterable {
    /// Stored in the kernel's own memory; at most 32,767 bytes, which count against the user's quota.
    case user
    /// Encrypted if it is large; at most 1 MiB, of which 16 bytes count. Not every kernel supports it.
    case big = "big_key"
  }

  private let number: Int32

  /// Opens a keyring, and creates it if needed.
  ///
  /// - Throws: `Errno`; `.notSupported` if the kernel has no such keyring.
  init(_ kind: Kind) throws(Errno) {
    number =
      switch kind {
      case .persistent: try KeyRing.checked(ckeys_persistent_ring())
      case .user: try KeyRing.checked(ckeys_user_ring())
      // A number that the kernel knows; the ring is created with its first key.
      case .process: ckeys_process_ring()
      }
  }

  /// Adds a key, or changes the payload of an existing one.
  ///
  /// - Throws: `Errno`.
  func add(_ payload: [UInt8], as type: KeyType, _ description: String) throws(Errno) -> Int32 {
    // C reads the strings and the array, which live until it returns.
    try KeyRing.checked(unsafe ckeys_add(number, type.rawValue, description, payload, payload.count))
  }

  /// Adds a key that expires after a time, in whole seconds, in the place of a key with the same description.
  ///
  /// It comes into this keyring with its permissions and its lifetime: if the process ends earlier, nothing stays.
  ///
  /// - Throws: `Errno`.
  func add(_ payload: [UInt8], _ description: String, expiringAfter lifetime: Duration) throws(Errno) {
    let own = try KeyRing(.process)
    let key = try own.add(payload, as: .user, description)
    // It ends with the process in any case.
    defer { _ = ckeys_unlink(key, own.number) }
    try guardKey(key, lifetime: lifetime)
    try KeyRing.checked(ckeys_link(key, number))
  }

  /// Removes a key from this keyring; other keyrings keep it.
  ///
  /// - Throws: `Errno`.
  func unlink(_ key: Int32) throws(Errno) {
    try KeyRing.checked(ckeys_unlink(key, number))
  }

  /// Returns the key with a description; nil if there is none.
  ///
  /// - Throws: `Errno`.
  func find(_ type: KeyType, _ description: String) throws(Errno) -> Int32? {
    let key = unsafe ckeys_find(number, type.rawValue, description)
    if key < 0, [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(errno) { return nil }
    return try KeyRing.checked(key)
  }

  /// Returns the payload of a key.
  ///
  /// - Throws: `Errno`.
  func read(_ key: Int32) throws(Errno) -> [UInt8] {
    try unsafe KeyRing.text(room: 1 << 15) { unsafe ckeys_read(key, $0.baseAddress, $0.count) }
  }

  /// Returns a key's attributes: type, owner, group, permissions and description.
  ///
  /// - Throws: `Errno`.
  func describe(_ key: Int32) throws(Errno) -> String {
    let bytes = try unsafe KeyRing.text(room: 1 << 13) { unsafe ckeys_describe(key, $0.baseAddress, $0.count) }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Restricts a key to its possessor, except for viewing its description, and sets its lifetime.
  ///
  /// - Throws: `Errno`.
  func guardKey(_ key: Int32, lifetime: Duration) throws(Errno) {
    try KeyRing.checked(ckeys_set_permissions(key, 0x3F01_0000))
    try prolong(key, by: lifetime)
  }

  /// Lets a key expire after this time from now, in whole seconds.
  ///
  /// - Throws: `Errno`.
  func prolong(_ key: Int32, by lifetime: Duration) throws(Errno) {
    try KeyRing.checked(ckeys_set_lifetime(key, UInt32(clamping: lifetime.components.seconds)))
  }

  /// Removes a key.
  ///
  /// - Throws: `Errno`.
  func remove(_ key: Int32) throws(Errno) {
    try KeyRing.checked(ckeys_invalidate(key))
  }

  @discardableResult
  private static func checked(_ outcome: Int32) throws(Errno) -> Int32 {
    guard outcome != -1 else { throw Errno(rawValue: errno) }
    return outcome
  }

  /// Reads into a buffer, and again into a larger one if needed.
  private static func text(
    room: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: room)
    let length = unsafe bytes.withUnsafeMutableBytes { unsafe read($0) }
    guard length >= 0 else { throw Errno(rawValue: errno) }
    guard length > room else { return Array(bytes.prefix(length)) }
    return try unsafe text(room: length, read)
  }
}
