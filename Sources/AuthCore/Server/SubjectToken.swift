import FoundationEssentials
import SystemPackage

/// Runs a command that prints a secret.
package protocol SecretCommand: Sendable {
  /// Runs a program with its arguments, and returns what it has printed.
  ///
  /// - Throws: ``SecretCommandFailure``, within bounded time.
  func output(of words: [String]) async throws(SecretCommandFailure) -> String
}

/// The reason why a command has printed no secret.
package enum SecretCommandFailure: Error, Equatable {
  /// It could not be started.
  case notStarted(String)
  /// It has failed or taken too long, which may be different the next time.
  case failed(String)
}

/// Starts no command: for programs that have no profiles.
package struct NoSecretCommand: SecretCommand {
  /// Creates the runner.
  package init() {}

  package func output(of words: [String]) async throws(SecretCommandFailure) -> String {
    throw .notStarted("this program starts no commands")
  }
}

/// The token with which a platform identifies a workload: an assertion (RFC 7523) or a subject token (RFC 8693).
extension AuthorizationServer {
  /// Reads the token from the profile's file or command; nil if the profile names neither.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the file or command can't be used, ``AuthError/tryLater(_:)`` if there is no
  ///   token, or it has expired: its platform writes a new one.
  package func subjectToken() async throws(AuthError) -> Secret? {
    guard let source = profile.subjectToken.source else { return nil }
    let (name, text) =
      switch source {
      case .file(let path): try AuthorizationServer.contents(of: path)
      case .command(let words): try await contents(of: words)
      }
    let token = Secret(text.trimmingWhitespace())
    guard !token.exposed.isEmpty else {
      throw .tryLater(name, why: "it is empty", hint: "nothing was sent; check what writes it")
    }
    guard token.exposed.isVisibleASCII else { throw .notAToken(name) }
    if let expiry = JSONWebToken(unverified: token)?.claims["exp"]?.lenientNumber {
      let left = expiry - time().timeIntervalSince1970
      guard left > 0 else {
        throw .tryLater(
          name, why: "it expired \(DurationText.describe(since: left)) ago",
          hint: "nothing was sent; check what writes it, and the clock")
      }
    }
    return token
  }

  private static func contents(of path: String) throws(AuthError) -> (String, String) {
    let name = "the subject token \(Escaped.text(path))"
    let file = FilePath(path)
    do throws(ProtectedFile.Refusal) {
      // Platforms write such short-lived tokens for several programs; Kubernetes uses mode 0644.
      let bytes = try ProtectedFile(file, .writableByOwner).contents()
      return (name, String(decoding: bytes, as: UTF8.self))
    } catch {
      throw .usage(name, why: error.why, hint: error.hint(file, .writableByOwner))
    }
  }

  private func contents(of words: [String]) async throws(AuthError) -> (String, String) {
    let name = "the subject token of \(Escaped.text(words.first ?? "", limit: 80))"
    do throws(SecretCommandFailure) {
      return (name, try await command.output(of: words))
    } catch {
      switch error {
      case .notStarted(let why):
        throw .usage(name, why: why, hint: "check subject_token_command in the profile")
      case .failed(let why):
        throw .tryLater(name, why: why, hint: "nothing was sent; run the command of subject_token_command alone")
      }
    }
  }
}
