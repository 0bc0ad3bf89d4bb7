import AuthCore
import SystemPackage

/// The checks of the machine, which are the same for all profiles: keyring, locks, files.
struct MachineChecks: Sendable {
  /// What the checks use.
  let context: Context
  /// The stores of the profiles: without the keyring it is not checked, without any store no lock is needed.
  let stores: Set<StoreKind>

  /// Returns the results.
  func findings() async -> [DoctorFinding] {
    async let keyring = stores.contains(.keyring) ? keyring() : []
    async let lock = stores == [.nothing] ? [] : lock()
    return await keyring + lock + files() + keyLog()
  }

  private func keyLog() -> [DoctorFinding] {
    context.keyLogWords.map { [.warning(.tls, $0, hint: "unset SSLKEYLOGFILE")] } ?? []
  }

  /// Reads an item that does not exist: the error shows how far the keyring is available.
  private func keyring() async -> [DoctorFinding] {
    let secrets = context.secrets(false)
    let outcome = await TimeLimit.run(context.checkTime) { () -> AuthError? in
      do throws(AuthError) {
        _ = try await secrets.load(SecretItem(profile: ".doctor", kind: .tokens))
        return nil
      } catch {
        return error
      }
    }
    let checks: [(check: DoctorCheck, message: String)] = [
      (.bus, "the session bus responds"), (.keyring, "a Secret Service runs"),
      (.collection, "it has a default collection"), (.unlocked, "the collection is unlocked"),
    ]
    guard let outcome else { return [.ok(.bus, checks[0].message), silentKeyring] }
    guard let failure = outcome else { return checks.map { .ok($0.check, $0.message) } }
    let failing = MachineChecks.check(failure)
    return checks.filter { $0.check.position < failing.position }.map { .ok($0.check, $0.message) }
      + [.error(failing, failure, hint: MachineChecks.restarts(failure) ? MachineChecks.programHint : "")]
  }

  /// The command that names the program to restart, which can be any.
  private static let programHint = "to see which program it is: busctl --user status org.freedesktop.secrets"

  /// Whether a keyring with this error may have to be restarted.
  private static func restarts(_ error: AuthError) -> Bool {
    guard case .storage(let fault, _) = error else { return false }
    return fault == .timedOut || fault == .refused
  }

  private var silentKeyring: DoctorFinding {
    .error(
      .keyring, "the Secret Service did not respond within \(DurationText.exact(context.checkTime))",
      hint: "check if the keyring shows a prompt on the screen, or restart it; \(MachineChecks.programHint)",
      status: .keyring)
  }

  /// Returns the check to which an error of the keyring belongs.
  private static func check(_ error: AuthError) -> DoctorCheck {
    guard case .storage(let fault, _) = error else { return .keyring }
    return switch fault {
    case .noBus: .bus
    case .noCollection: .collection
    case .locked, .promptDismissed: .unlocked
    case .noService, .timedOut, .refused, .damaged: .keyring
    }
  }

  /// Locks a file of its own: a lock of a profile may be held by a refresh.
  private func lock() async -> [DoctorFinding] {
    let folder = context.state.appending("locks")
    do throws(AuthError) {
      _ = try await context.fileLock(folder.appending(".doctor.lock")).withLock(.shared, deadline: .zero) {
        _ throws(AuthError) in true
      }
      return [.ok(.lock, "files in \(folder) can be locked")]
    } catch {
      return [.error(.lock, error)]
    }
  }

  private func files() -> [DoctorFinding] {
    let folder = context.profiles.path
    do throws(ProtectedFile.Refusal) {
      try ProtectedFile.checkFolder(folder)
    } catch {
      // Without profiles, the folder is missing.
      guard error != .unreadable(.noSuchFileOrDirectory) else { return configuration(folder) }
      return [
        .error(.files, "\(folder): \(error.why)", hint: error.hint(folder, .writableByOwner), status: .usage)
      ]
    }
    return configuration(folder)
  }

  private func configuration(_ folder: FilePath) -> [DoctorFinding] {
    do throws(AuthError) {
      _ = try Configuration(in: context.configuration)
      return [.ok(.files, "no other user can change \(folder)")]
    } catch {
      return [.error(.files, error)]
    }
  }
}
