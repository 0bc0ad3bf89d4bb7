import FoundationEssentials
package import SystemPackage

/// Stores all items of a profile in one sealed file, for a machine without a keyring.
///
/// Each write replaces the file as a whole: a new file is written, synchronized and renamed. Processes write one after
/// another, under a lock of their own, because some items are written without the session's lock.
package struct SealedFileStore: ReservingSecretStore {
  /// The room for the next tokens: the largest response of a token endpoint that is read.
  private static let room = 1 << 20
  /// The largest file that is read.
  private static let limit = 16 << 20

  /// The file.
  package let file: FilePath
  let profile: String
  let key: SealingKey.Source
  let reservation = Reservation()
  private let lock: any RefreshLock
  private let deadline: Duration

  /// Creates a store; the file is read with each use.
  ///
  /// - Parameters:
  ///   - folder: the folder of the session files, which is created when needed.
  ///   - profile: the name of the profile.
  ///   - key: the source of the key.
  ///   - lock: the lock for writing.
  ///   - deadline: the maximum time to wait for another process that writes.
  package init(
    in folder: FilePath, profile: String, key: SealingKey.Source, lock: any RefreshLock,
    deadline: Duration = .seconds(10)
  ) {
    file = folder.appending(SealedFileStore.name(of: profile))
    self.profile = profile
    self.key = key
    self.lock = StorageLock(lock)
    self.deadline = deadline
  }

  /// Returns the names of the files from which a profile's items are read: its file, and a complete write that waits.
  package static func names(of profile: String) -> Set<String> { [name(of: profile), "\(name(of: profile)).next"] }

  private static func name(of profile: String) -> String { "\(profile).session" }

  /// The file of a write that has no reserved room.
  private var part: FilePath { FilePath("\(file).part") }
  /// The file whose room is reserved for the tokens of an exchange. If it is complete and follows the file itself, it
  /// takes its place.
  private var next: FilePath { FilePath("\(file).next") }

  package func load(_ item: SecretItem) async throws(AuthError) -> Secret? {
    let key = try readKey()
    let current = try read(key)
    guard let next = try pending(after: current, key) else { return try contents(of: current)[item] }
    // Another process that holds the lock completes the write itself; one that can't, reads it as this one.
    _ = try? await lock.withLock(.exclusive, deadline: .zero) { _ throws(AuthError) in try settled(key) }
    return try contents(of: next)[item]
  }

  package func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) {
    _ = try await change { contents in
      contents[item] = secret
      return true
    }
  }

  package func replace(_ item: SecretItem, with secret: Secret) async throws(AuthError) -> Bool {
    try await replace(item, with: secret, isReserving: false)
  }

  package func replaceReserving(_ item: SecretItem, with secret: Secret) async throws(AuthError) -> Bool {
    try await replace(item, with: secret, isReserving: true)
  }

  private func replace(
    _ item: SecretItem, with secret: Secret, isReserving: Bool
  ) async throws(AuthError) -> Bool {
    try await change(isReserving: isReserving) { contents in
      guard contents[item] != nil else { return false }
      contents[item] = secret
      return true
    }
  }

  package func clear(_ item: SecretItem) async throws(AuthError) {
    _ = try await change { contents in
      guard contents[item] != nil else { return false }
      contents[item] = nil
      return true
    }
  }

  package func proveWritable() async throws(AuthError) {
    try await writing { () throws(AuthError) in
      let key = try readKey()
      _ = try settled(key)
      try namingErrors(of: part) { () throws(Errno) in try ReservedFile(at: part, room: SealedFileStore.room) }
        .discard()
    }
  }

  package func releaseReservation() {
    // A write takes it first: what is discarded here has no content.
    reservation.take()?.discard()
  }

  package var unfinished: String? {
    // The next load reports why it can't be read.
    guard let key = try? SealingKey(key), let current = try? read(key), (try? pending(after: current, key)) != nil
    else {
      return nil
    }
    return "the file \(next)"
  }

  // MARK: - Reading

  /// Reads the file; nil if there is none.
  private func read(_ key: SealingKey) throws(AuthError) -> SealedFile? {
    do throws(ProtectedFile.Refusal) {
      try ProtectedFile.checkFolder(folder)
    } catch .unreadable(.noSuchFileOrDirectory) {
      return nil
    } catch {
      throw .storage(
        .refused, "the folder \(folder)", why: error.why, hint: error.hint(folder, .writableByOwner))
    }
    let bytes: [UInt8]
    do throws(ProtectedFile.Refusal) {
      bytes = try ProtectedFile(file, .readableByOwner, checksFolders: false).contents(limit: SealedFileStore.limit)
    } catch .missing {
      return nil
    } catch .tooLarge {
      throw damaged("it is larger than any session file")
    } catch {
      throw failure(file, error.why, hint: error.hint(file, .readableByOwner) + "; or remove it: \(removal)")
    }
    do throws(SealedFile.Fault) {
      return try SealedFile(bytes, profile: profile, key: key)
    } catch {
      throw refusal(error)
    }
  }

  var folder: FilePath { file.removingLastComponent() }

  /// Returns the complete file that was written to follow the current one, and not renamed; nil if there is none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` if it can't be read: it may have the newest tokens.
  private func pending(after current: SealedFile?, _ key: SealingKey) throws(AuthError) -> SealedFile? {
    let bytes: [UInt8]
    do throws(ProtectedFile.Refusal) {
      bytes = try ProtectedFile(next, .readableByOwner, checksFolders: false).contents(limit: SealedFileStore.limit)
    } catch .missing {
      return nil
    } catch {
      throw failure(next, error.why, hint: error.hint(next, .readableByOwner))
    }
    // It may be empty, incomplete or older: then it was never used.
    guard let sealed = try? SealedFile(bytes, profile: profile, key: key), sealed.follows(current) else { return nil }
    return sealed
  }

  private func contents(of sealed: SealedFile?) throws(AuthError) -> SessionContents {
    guard let sealed else { return SessionContents() }
    do {
      return try Secret(String(decoding: sealed.content, as: UTF8.self)).decoded(as: SessionContents.self)
    } catch {
      throw damaged("its content is not that of a session")
    }
  }

  // MARK: - Writing

  /// Changes the content under the lock.
  ///
  /// - Parameters:
  ///   - isReserving: whether room for the next write is reserved, too.
  ///   - body: changes the content; returns false if nothing is to be written.
  private func change(
    isReserving: Bool = false, _ body: @Sendable (inout SessionContents) -> Bool
  ) async throws(AuthError) -> Bool {
    try await writing { () throws(AuthError) in
      let key = try readKey()
      let current = try settled(key)
      var contents = try contents(of: current)
      guard body(&contents) else { return false }
      guard !contents.isEmpty else {
        try namingErrors(of: file) { () throws(Errno) in
          for path in [next, part, file] { try ReservedFile.remove(existing: path) }
          try ReservedFile.synchronize(folder: folder)
        }
        return true
      }
      let sealed: [UInt8]
      do {
        let text = try Secret(encoding: contents)
        sealed = try SealedFile.sealed(Array(text.exposed.utf8), profile: profile, key: key, replacing: current)
      } catch {
        throw .failed("storing the session", why: "it can't be encoded", hint: "report this as a bug")
      }
      try isReserving ? writeReserving(sealed, key) : write(sealed)
      return true
    }
  }

  private func writing<Result: Sendable>(_ body: @Sendable () throws(AuthError) -> Result) async throws(AuthError)
    -> Result
  {
    try namingErrors(of: folder) { () throws(Errno) in try PrivateFolder.make(folder) }
    let result = try await lock.withLock(.exclusive, deadline: deadline) { _ throws(AuthError) in
      try body()
    }
    guard let result else {
      throw .storeTimedOut("the session file \(file)", why: "another process has been writing it for too long")
    }
    return result
  }

  /// Returns the current file, after a write that was interrupted has been completed.
  private func settled(_ key: SealingKey) throws(AuthError) -> SealedFile? {
    let current = try read(key)
    guard let pending = try pending(after: current, key) else { return current }
    try namingErrors(of: file) { () throws(Errno) in
      // Its writer may have ended before the content was on the disk.
      try ReservedFile.complete(next, size: pending.size)
      try ReservedFile.move(next, to: file)
      try ReservedFile.synchronize(folder: folder)
    }
    return pending
  }

  /// Writes the file, into the reserved room if there is some.
  private func write(_ sealed: [UInt8]) throws(AuthError) {
    guard let reserved = reservation.take() else { return try replaceFile(by: sealed) }
    defer { reserved.close() }
    guard reserved.isThere else { return try replaceFile(by: sealed) }
    do throws(Errno) {
      try reserved.write(sealed)
    } catch {
      ReservedFile.remove(next)
      throw failure(next, error)
    }
    // If this fails, the complete file remains, and the next process that opens the store renames it.
    try namingErrors(of: file) { () throws(Errno) in
      try reserved.move(to: file)
      try ReservedFile.synchronize(folder: folder)
    }
  }

  private func writeReserving(_ sealed: [UInt8], _ key: SealingKey) throws(AuthError) {
    let reserved = try namingErrors(of: next) { () throws(Errno) in
      try ReservedFile(at: next, room: SealedFileStore.room + sealed.count)
    }
    do throws(AuthError) {
      // Its folder is synchronized with this write.
      try replaceFile(by: sealed)
    } catch {
      reserved.discard()
      throw error
    }
    reservation.put(reserved, key)
  }

  private func replaceFile(by sealed: [UInt8]) throws(AuthError) {
    try namingErrors(of: part) { () throws(Errno) in
      let new = try ReservedFile(at: part, room: 0)
      do throws(Errno) {
        try new.write(sealed)
        try new.move(to: file)
      } catch {
        new.discard()
        throw error
      }
      new.close()
      try ReservedFile.synchronize(folder: folder)
    }
  }
}
