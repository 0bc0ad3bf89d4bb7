import SystemPackage

extension SealedFileStore {
  /// Runs a step of the file system, and names the file in its error.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  func namingErrors<Result>(of path: FilePath, _ body: () throws(Errno) -> Result) throws(AuthError) -> Result {
    do throws(Errno) { return try body() } catch { throw failure(path, error) }
  }

  func failure(_ path: FilePath, _ error: Errno) -> AuthError {
    let hint =
      [.noSpace, .diskQuotaExceeded].contains(error)
      ? "free some space" : "check the owner and the mode of \(folder), and its disk"
    return failure(path, "it can't be written: \(error)", hint: hint)
  }

  func failure(_ path: FilePath, _ why: String, hint: String) -> AuthError {
    .storage(.refused, "the session file \(path)", why: why, hint: hint)
  }

  /// Reads the key; without its file, the key whose room is reserved.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``, which names the session file, too, if there is one.
  func readKey() throws(AuthError) -> SealingKey {
    do throws(AuthError) {
      return try SealingKey(key)
    } catch {
      // Before the exchange it was there: what the server has issued must be stored.
      if let key = reservation.key { return key }
      guard (try? file.stat()) != nil else { throw error }
      var explanation = error.explanation
      explanation.hint += "; if the key is lost, remove the session: \(removal)"
      throw .storage(.refused, explanation)
    }
  }

  var removal: String { "rm \(ShellWord.quoted(Escaped.text(file.string)))" }

  func damaged(_ why: String) -> AuthError {
    .storage(
      .refused, "the session file \(file)", why: why, hint: "remove it: \(removal)", remedy: .logIn(session: profile))
  }

  func refusal(_ fault: SealedFile.Fault) -> AuthError {
    switch fault {
    case .truncated: return damaged("it is truncated")
    case .foreign: return damaged("it is not a session file")
    case .damaged: return damaged("its content was changed")
    case .ofProfile(let name): return damaged("it belongs to session '\(Escaped.text(name, limit: 80))'")
    case .later(let version):
      return failure(
        file, "it was written by a later version (format \(version))",
        hint: "use the later version; or remove it: \(removal)")
    case .otherKey:
      return .storage(
        .refused, "the session file \(file)", why: "it was sealed with another key than \(key.name)",
        hint: "use that key; or remove it: \(removal)", remedy: .logIn(session: profile))
    }
  }
}
