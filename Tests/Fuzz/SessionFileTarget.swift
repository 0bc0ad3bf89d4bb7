import FoundationEssentials
import SystemPackage

@testable import AuthCore

/// The file of a profile with `store = "file"`, and what may be sealed in one. The fuzzer does not have the key, so its
/// input is also sealed by the target: alone, and as values in the stored tokens of a session.
enum SessionFileTarget: FuzzTarget {
  static let name = "session-file"

  private static let profile = "fuzz"
  /// The key of the files in the corpus.
  private static let key = SealingKey(bytes: Data(repeating: UInt8(ascii: "A"), count: 32))
  /// Words the reasons to refuse a file; it never reads or writes one.
  private static let store = SealedFileStore(
    in: "/nonexistent", profile: profile,
    key: .file(SecretFile("/nonexistent/key", what: "the key", credentials: nil)), lock: ProcessLock())

  static func check(_ bytes: [UInt8]) {
    do {
      let file = try opened(bytes)
      requireWhole(file, Array(bytes.prefix(file.size)), chosenBy: bytes)
      requireSame(file.content, after: file)
    } catch {
      let explanation = store.refusal(error).explanation
      for part in [explanation.what, explanation.why, explanation.hint] {
        requireShowable(part)
        require(!part.isEmpty, "every part of an explanation: \(explanation)")
      }
    }
    requireSame(bytes, after: nil)
    Reach.count(checkTokens(bytes))
  }

  /// Seals stored tokens with the input, as far as it takes little time, as values; the first byte decides which.
  ///
  /// - Returns: whether they are read as tokens.
  private static func checkTokens(_ bytes: [UInt8]) -> Bool {
    let text = JSONValue.string(String(decoding: bytes.dropFirst().prefix(4096), as: UTF8.self))
    let date = JSONValue.string("2026-01-02T03:04:05Z")
    let has = { (bit: UInt8) in (bytes.first ?? 0) & 1 << bit != 0 }
    var members: [String: JSONValue] = ["version": .integer(Int64(TokenPair.version)), "access_token": text]
    members["token_type"] = has(0) ? text : .string("Bearer")
    (members["issued_at"], members["logged_in_at"]) = (date, date)
    if has(1) { members["refresh_token"] = text }
    if has(2) { members["scope"] = text }
    if has(3) {
      members["last_error"] = .object(["error": text, "description": text, "at": date, "final": .bool(has(0))])
    }
    if has(4) { members["server"] = .object(["client_id": text, "issuer": text, "origins": .array([text])]) }
    if has(5), has(6) { members["expires_at"] = text }
    let tokens = (try? JSONValue.object(members).text()) ?? ""
    let items = JSONValue.object(["tokens": .string(tokens)])
    let content = (try? JSONValue.object(["items": items, "registrations": .object([:])]).text()) ?? ""
    requireSame(Array(content.utf8), after: nil)
    require(session(Array(content.utf8)) != nil, "what was written is a session: \(content)")
    guard let pair = try? TokenPair(stored: Secret(tokens)) else { return false }
    let stored = try? pair.stored()
    require(stored.flatMap { try? TokenPair(stored: $0) } == pair, "tokens that were stored are read again: \(tokens)")
    return true
  }

  private static func opened(_ bytes: [UInt8]) throws(SealedFile.Fault) -> SealedFile {
    try SealedFile(bytes, profile: profile, key: key)
  }

  /// Requires that a content which is sealed, and what a session in it is written as, can be opened again.
  private static func requireSame(_ content: [UInt8], after former: SealedFile?) {
    requireOpens(content, after: former)
    guard let session = session(content) else { return }
    guard let text = try? Secret(encoding: session) else { return require(false, "what is read can be written") }
    let again = requireOpens(Array(text.exposed.utf8), after: former)
    require(again.map { self.session($0.content) == session } == true, "what is written is read again")
  }

  private static func session(_ content: [UInt8]) -> SessionContents? {
    // Any other content is refused.
    try? Secret(String(decoding: content, as: UTF8.self)).decoded(as: SessionContents.self)
  }

  @discardableResult
  private static func requireOpens(_ content: [UInt8], after former: SealedFile?) -> SealedFile? {
    guard let sealed = try? SealedFile.sealed(content, profile: profile, key: key, replacing: former) else {
      require(false, "\(content.count) bytes can be sealed")
      return nil
    }
    guard let file = try? opened(sealed) else {
      require(false, "\(content.count) bytes that were sealed are opened")
      return nil
    }
    require(file.content == content && file.size == sealed.count, "the same \(content.count) bytes")
    require(file.follows(former) && !file.follows(file), "it follows the file that it replaces")
    requireWhole(file, sealed, chosenBy: content)
    return file
  }

  /// Requires that a file is opened only unchanged, and with room after it.
  ///
  /// - Parameter input: decides which of its bytes is changed, and where it is cut.
  private static func requireWhole(_ file: SealedFile, _ bytes: [UInt8], chosenBy input: [UInt8]) {
    let sum = input.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
    let place = sum / 8 % bytes.count
    var changed = bytes
    changed[place] ^= 1 << UInt8(sum % 8)
    require((try? opened(changed)) == nil, "bit \(sum % 8) of byte \(place) is authenticated")
    let isCut: Bool
    do {
      _ = try opened(Array(bytes.prefix(place)))
      isCut = false
    } catch {
      isCut = error == .truncated
    }
    require(isCut, "\(place) bytes of \(bytes.count) are truncated")
    let other = try? opened(bytes + [UInt8](repeating: 0, count: 100))
    require(other?.content == file.content && other?.size == file.size, "room after the file is not part of it")
  }
}
