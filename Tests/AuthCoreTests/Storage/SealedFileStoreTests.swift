import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("SealedFileStore", .timeLimit(.minutes(20)))
struct SealedFileStoreTests {
  private let folder: TemporaryDirectory
  private let tokens = SecretItem(profile: "work", kind: .tokens)

  init() throws {
    folder = try TemporaryDirectory()
    try key("key", String(repeating: "QUFB", count: 10) + "QUE=\n")
  }

  @discardableResult private func key(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let path = try folder.write(text, to: name)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  private var sessions: URL { folder.url.appending(path: "sessions") }
  private var file: URL { sessions.appending(path: "work.session") }
  private var next: URL { sessions.appending(path: "work.session.next") }

  private func store(
    _ profile: String = "work", key: String = "key", lock: (any RefreshLock)? = nil, deadline: Duration = .seconds(10)
  ) -> SealedFileStore {
    let path = key.hasPrefix("credential:") ? key : folder.url.path + "/" + key
    return SealedFileStore(
      in: FilePath(sessions.path), profile: profile,
      key: .file(SecretFile(path, what: "the store's key", credentials: nil)),
      lock: lock ?? FileLock(folder.path.appending("lock")), deadline: deadline)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sessions.path).sorted()
  }

  // MARK: - Items

  @Test("items of every kind, and a registered client, are kept in one file that only its owner may read")
  func items() async throws {
    let registration = SecretItem(registrationAt: "https://id.example")
    let all = SecretItem.Kind.ofProfile.map { SecretItem(profile: "work", kind: $0) } + [registration]
    for (number, item) in all.enumerated() {
      #expect(try await store().load(item) == nil)
      try await store().save(Secret("secret-\(number)"), as: item)
    }
    for (number, item) in all.enumerated() { #expect(try await store().load(item) == Secret("secret-\(number)")) }
    #expect(try names() == ["work.session"])
    #expect(try mode(of: FilePath(file.path)) == 0o600)
    #expect(try mode(of: FilePath(sessions.path)) == 0o700)
    #expect(try await store().load(SecretItem(registrationAt: "https://other.example")) == nil)
  }

  @Test("nothing in the file can be read, and each write looks different")
  func sealed() async throws {
    try await store().save(Secret("a-secret-token"), as: tokens)
    let first = try Data(contentsOf: file)
    try await store().save(Secret("a-secret-token"), as: tokens)
    let second = try Data(contentsOf: file)
    #expect(first.range(of: Data("secret".utf8)) == nil && first.range(of: Data("tokens".utf8)) == nil)
    // After the magic number, the version and the identity of the key.
    #expect(first.count == second.count && zip(first, second).dropFirst(17).filter { $0 != $1 }.count > 30)
  }

  @Test("an item is replaced only if it exists; the file is removed with the last item")
  func replaced() async throws {
    #expect(try await !store().replace(tokens, with: Secret("a")))
    #expect(try await !store().replaceReserving(tokens, with: Secret("a")))
    #expect(try names() == [])
    try await store().save(Secret("a"), as: tokens)
    #expect(try await store().replace(tokens, with: Secret("b")))
    #expect(try await store().load(tokens) == Secret("b"))
    try await store().clear(SecretItem(profile: "work", kind: .password))
    #expect(try names() == ["work.session"])
    #expect(try await store().replaceReserving(tokens, with: Secret("c")))
    try await store().clear(tokens)
    #expect(try names() == [])
    try await store().clear(tokens)
  }

  @Test("processes that write at the same time do not undo each other's writes")
  func parallel() async throws {
    let items = (1...6).map { SecretItem(registrationAt: "https://\($0).example") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      // As long as a busy disk may take for all of them.
      for item in items {
        group.addTask { try await store(deadline: .seconds(240)).save(Secret(item.issuer ?? ""), as: item) }
      }
      try await group.waitForAll()
    }
    for item in items { #expect(try await store().load(item) == item.issuer.map { Secret($0) }) }
  }

  // MARK: - Faults

  private func failure<Result>(_ body: () async throws -> Result) async -> AuthError? {
    await #expect(throws: AuthError.self) { _ = try await body() }
  }

  /// Expects that no operation opens the store, and that the file remains as it is.
  private func expectFailure(
    _ store: SealedFileStore, what: String? = nil, why: String, hint: String, remedy: AuthError.Remedy? = nil
  ) async throws {
    let former = try? Data(contentsOf: file)
    let expected = AuthError.storage(
      .refused, .init(what ?? "the session file \(file.path)", why: why, hint: hint, remedy: remedy))
    #expect(await failure { try await store.load(tokens) } == expected)
    #expect(await failure { try await store.save(Secret("x"), as: tokens) } == expected)
    #expect(await failure { try await store.replace(tokens, with: Secret("x")) } == expected)
    #expect(await failure { try await store.replaceReserving(tokens, with: Secret("x")) } == expected)
    #expect(await failure { try await store.clear(tokens) } == expected)
    #expect(await failure { try await store.proveWritable() } == expected)
    #expect((try? Data(contentsOf: file)) == former)
    #expect(!FileManager.default.fileExists(atPath: next.path))
  }

  private enum Damage: CaseIterable {
    case truncated, empty, cut, foreign, later, other, changed, key
  }

  @Test("a file that is not the profile's, or not whole, is refused with its reason and never overwritten")
  func refused() async throws {
    try await store("else").save(Secret("x"), as: SecretItem(profile: "else", kind: .tokens))
    let other = try Data(contentsOf: sessions.appending(path: "else.session"))
    for damage in Damage.allCases {
      try? FileManager.default.removeItem(at: file)
      try await store().save(Secret("a-secret-token"), as: tokens)
      var bytes = try Data(contentsOf: file)
      var why = "it is truncated"
      switch damage {
      case .truncated: bytes.removeLast()
      case .empty: bytes = Data()
      case .cut: bytes = bytes.prefix(20)
      case .foreign: (bytes, why) = (Data("[profile]\n".utf8), "it is not a session file")
      case .later:
        bytes[8] = 2
        why = "it was written by a later version (format 2)"
      case .other: (bytes, why) = (other, "it belongs to session 'else'")
      case .changed:
        bytes[bytes.count - 20] ^= 1
        why = "its content was changed"
      case .key:
        bytes[9] ^= 1
        why = "it was sealed with another key than \(folder.url.path)/key"
      }
      try bytes.write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      let first = [.later: "use the later version; or ", .key: "use that key; or "][damage] ?? ""
      try await expectFailure(
        store(), why: why, hint: "\(first)remove it: rm \(file.path)",
        remedy: damage == .later ? nil : .logIn(session: "work"))
    }
  }

  @Test("every byte of the file is authenticated")
  func authenticated() async throws {
    try await store().save(Secret("a"), as: tokens)
    let bytes = try Data(contentsOf: file)
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x80
      try changed.write(to: file)
      #expect(await failure { try await store().load(tokens) } != nil, "byte \(index)")
    }
  }

  @Test("a file, and a folder, that others may use is refused")
  func open() async throws {
    try await store().save(Secret("a"), as: tokens)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    try await expectFailure(
      store(), why: "other users may access it (mode 640)",
      hint: "run: chmod 600 \(file.path); or remove it: rm \(file.path)")
    try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: sessions.path)
    try await expectFailure(
      store(), what: "the folder \(sessions.path)", why: "other users may access it (mode 770)",
      hint: "run: chmod go-w \(sessions.path)")
  }

  @Test("a file of another user is refused", .enabled(if: geteuid() == 0))
  func foreign() async throws {
    try await store().save(Secret("a"), as: tokens)
    #expect(unsafe chown(file.path, 4711, 0) == 0)
    try await expectFailure(
      store(), why: "it belongs to another user (uid 4711)",
      hint: "use a file of your own: copy it, or run: chown 0 \(file.path); or remove it: rm \(file.path)")
  }

  @Test("a key that is missing, too open or not a key is refused with its reason, with and without a session file")
  func keys() async throws {
    let hint = "use a file with 32 random bytes in Base64"
    let path = folder.url.path
    for isStored in [false, true] {
      if isStored { try await store().save(Secret("a"), as: tokens) }
      let rest = isStored ? "; if the key is lost, remove the session: rm \(file.path)" : ""
      try await expectFailure(
        store(key: "none"), what: "the store's key \(path)/none", why: "there is no such file",
        hint: "check the path, its owner and its mode" + rest)
      try key("open", "QUFB", mode: 0o644)
      try await expectFailure(
        store(key: "open"), what: "the store's key \(path)/open", why: "other users may access it (mode 644)",
        hint: "run: chmod 600 \(path)/open" + rest)
      try key("short", Data(count: 31).base64EncodedString())
      try await expectFailure(
        store(key: "short"), what: "the store's key \(path)/short", why: "it has 31 bytes, not 32", hint: hint + rest)
      for text in ["", "not Base64!\n"] {
        try key("text", text)
        try await expectFailure(
          store(key: "text"), what: "the store's key \(path)/text", why: "it is not a key in Base64", hint: hint + rest)
      }
      try await expectFailure(
        store(key: "credential:k"), what: "the store's key credential:k",
        why: "$CREDENTIALS_DIRECTORY is not set: only a systemd service with credentials has it",
        hint: "add LoadCredential=k:/path/to/the/file to the service (systemd.exec(5))" + rest)
    }
    #expect(try await store().load(tokens) == Secret("a"))
  }

  @Test("a new key is one line of Base64 that only its owner may read, each one different; none is overwritten")
  func newKey() async throws {
    for name in ["one", "two"] { try SealingKey.create(at: folder.path.appending(name)) }
    let texts = try ["one", "two"].map { try String(contentsOf: folder.url.appending(path: $0), encoding: .utf8) }
    #expect(texts[0] != texts[1] && texts[0].hasSuffix("=\n") && texts[0].utf8.count == 45)
    #expect(try mode(of: folder.path.appending("one")) == 0o600)
    try await store(key: "one").save(Secret("a"), as: tokens)
    #expect(try await store(key: "one").load(tokens) == Secret("a"))
    #expect(throws: Errno.fileExists) { try SealingKey.create(at: folder.path.appending("one")) }
    #expect(try String(contentsOf: folder.url.appending(path: "one"), encoding: .utf8) == texts[0])
  }

  // MARK: - Room and interrupted writes

  private func status(_ file: URL) throws -> stat {
    var status = stat()
    try #require(unsafe stat(file.path, &status) == 0)
    return status
  }

  @Test("room for the next tokens is reserved with the mark, is used by the next write, and what is left is given back")
  func reserved() async throws {
    let store = store()
    try await store.save(Secret("a"), as: tokens)
    #expect(try await store.replaceReserving(tokens, with: Secret("marked")))
    let room = try status(next)
    #expect(room.st_blocks * 512 >= 1 << 20)
    #expect(try await self.store().load(tokens) == Secret("marked"))
    #expect(try await store.replace(tokens, with: Secret("b")))
    #expect(try status(file).st_ino == room.st_ino)
    #expect(try status(file).st_blocks * 512 < 1 << 16)
    #expect(try names() == ["work.session"])
    #expect(try await self.store().load(tokens) == Secret("b"))
    // Tokens that need more room than was reserved are written all the same.
    #expect(try await store.replaceReserving(tokens, with: Secret("marked")))
    let large = Secret(String(repeating: "x", count: 3 << 20))
    #expect(try await store.replace(tokens, with: large))
    #expect(try await self.store().load(tokens) == large)
  }

  @Test("a proof that the store can be written leaves nothing")
  func proved() async throws {
    try await store().proveWritable()
    #expect(try names() == [])
  }

  @Test("room that was reserved and not used is given back; what another process has reserved is not")
  func released() async throws {
    let (one, other) = (store(), store())
    try await one.save(Secret("a"), as: tokens)
    #expect(try await one.replaceReserving(tokens, with: Secret("marked")))
    one.releaseReservation()
    #expect(try names() == ["work.session"])
    #expect(try await one.replace(tokens, with: Secret("b")))
    #expect(try await one.replaceReserving(tokens, with: Secret("one")))
    #expect(try await other.replaceReserving(tokens, with: Secret("other")))
    one.releaseReservation()
    #expect(try names() == ["work.session", "work.session.next"])
    other.releaseReservation()
    #expect(try names() == ["work.session"])
    #expect(try await store().load(tokens) == Secret("other"))
  }

  @Test("what was written into the reserved room is not given back, although it was not renamed")
  func notReleased() async throws {
    let store = store()
    _ = try await interrupt(store)
    store.releaseReservation()
    #expect(try names() == ["work.session", "work.session.next"])
    #expect(try await store.load(tokens) == Secret("new"))
  }

  /// Leaves the files as a process does that is killed between the last write of an exchange and its renaming.
  @discardableResult private func interrupt(_ store: SealedFileStore? = nil) async throws -> Data {
    let store = store ?? self.store()
    try await store.save(Secret("old"), as: tokens)
    #expect(try await store.replaceReserving(tokens, with: Secret("marked")))
    let marked = try Data(contentsOf: file)
    #expect(try await store.replace(tokens, with: Secret("new")))
    try FileManager.default.moveItem(at: file, to: next)
    try write(marked, to: file)
    return marked
  }

  private func write(_ bytes: Data, to file: URL) throws {
    try bytes.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
  }

  @Test("a complete write that was not renamed is read and completed by the next process that opens the store")
  func completed() async throws {
    _ = try await interrupt()
    #expect(store().unfinished == "the file \(next.path)")
    #expect(try await store().load(tokens) == Secret("new"))
    #expect(try names() == ["work.session"])
    #expect(store().unfinished == nil)
    #expect(try await store().load(tokens) == Secret("new"))
  }

  @Test("a write also begins with what was not renamed")
  func continued() async throws {
    _ = try await interrupt()
    let password = SecretItem(profile: "work", kind: .password)
    try await store().save(Secret("p"), as: password)
    #expect(try await store().load(tokens) == Secret("new"))
    #expect(try await store().load(password) == Secret("p"))
  }

  @Test("while another process holds the lock, what was not renamed is read and left to it")
  func busy() async throws {
    _ = try await interrupt()
    let lock = ProcessLock()
    try await lock.withLock(.exclusive, deadline: .zero) { _ throws(AuthError) in
      let value = try await store(lock: lock).load(tokens)
      #expect(value == Secret("new"))
      #expect(store().unfinished != nil)
    }
  }

  @Test("what is left of the reserved room after an interrupted write is given back")
  func rest() async throws {
    _ = try await interrupt()
    let whole = try Data(contentsOf: next)
    try write(whole + Data(count: 1 << 20), to: next)
    #expect(try await store().load(tokens) == Secret("new"))
    #expect(try Data(contentsOf: file) == whole)
  }

  @Test("what was not renamed and can't be read is an error that names it, and is not overwritten")
  func refusedRest() async throws {
    let marked = try await interrupt()
    let whole = try Data(contentsOf: next)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: next.path)
    let refusal = AuthError.storage(
      .refused,
      .init(
        "the session file \(next.path)", why: "other users may access it (mode 640)",
        hint: "run: chmod 600 \(next.path)"))
    await #expect(throws: refusal) { try await store().load(tokens) }
    await #expect(throws: refusal) { try await store().replaceReserving(tokens, with: Secret("x")) }
    #expect(try Data(contentsOf: file) == marked && Data(contentsOf: next) == whole)
  }

  @Test("a key that is removed after the mark does not prevent that the result is stored")
  func keyRemoved() async throws {
    let store = store()
    try await store.save(Secret("old"), as: tokens)
    #expect(try await store.replaceReserving(tokens, with: Secret("marked")))
    let path = folder.url.appending(path: "key")
    let text = try String(contentsOf: path, encoding: .utf8)
    try FileManager.default.removeItem(at: path)
    #expect(try await store.replace(tokens, with: Secret("new")))
    await #expect(throws: AuthError.self) { try await store.replace(tokens, with: Secret("newer")) }
    try key("key", text)
    #expect(try await self.store().load(tokens) == Secret("new"))
  }

  @Test("a write that is incomplete, or not of the current file, is ignored")
  func ignored() async throws {
    let marked = try await interrupt()
    let whole = try Data(contentsOf: next)
    for part in [whole.dropLast(), Data(), Data(count: 1 << 20), marked] {
      try write(part, to: next)
      #expect(try await store().load(tokens) == Secret("marked"))
      #expect(store().unfinished == nil)
    }
    // A login after the user has removed the file.
    try FileManager.default.removeItem(at: file)
    try write(whole, to: next)
    #expect(try await store().load(tokens) == nil)
    try await store().save(Secret("login"), as: tokens)
    #expect(try await store().load(tokens) == Secret("login"))
  }

  @Test("a reservation that another process has replaced is not used")
  func replacedReservation() async throws {
    let (one, other) = (store(), store())
    try await one.save(Secret("a"), as: tokens)
    #expect(try await one.replaceReserving(tokens, with: Secret("one")))
    #expect(try await other.replaceReserving(tokens, with: Secret("other")))
    #expect(try await one.replace(tokens, with: Secret("b")))
    #expect(try await store().load(tokens) == Secret("b"))
    #expect(FileManager.default.fileExists(atPath: next.path))
    #expect(try await other.replace(tokens, with: Secret("c")))
    #expect(try await store().load(tokens) == Secret("c"))
    #expect(try names() == ["work.session"])
  }

  @Test("without a folder for the lock, a write fails as one of the store, and a read does not need it")
  func noLock() async throws {
    try await store().save(Secret("a"), as: tokens)
    let lock = FileLock(folder.path.appending("key/lock"))
    #expect(try await store(lock: lock).load(tokens) == Secret("a"))
    guard case .storage(.refused, _)? = await failure({ try await store(lock: lock).clear(tokens) }) else {
      Issue.record("not a failure of the store")
      return
    }
    #expect(try await store().load(tokens) == Secret("a"))
  }
}
