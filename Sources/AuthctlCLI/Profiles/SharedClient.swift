import AuthCore
import SystemPackage

extension Context {
  /// Whether a profile uses the client that was registered at the issuer of a profile.
  ///
  /// A profile that can't be read may use it, too. A profile with a session file has a client of its own in it.
  ///
  /// - Parameter isRemoved: whether the profile's file was removed: a file with its name is then of another login.
  /// - Throws: `AuthError.usage` if the profiles' folder can't be read.
  private func sharesClient(_ profile: Profile, isRemoved: Bool) throws(AuthError) -> Bool {
    let names = try profiles.names()
    guard profile.store != .file else { return isRemoved && names.contains(profile.name) }
    return names.contains { name in
      guard isRemoved || name != profile.name else { return false }
      do throws(AuthError) {
        guard let other = try profiles.profile(name, requiringFiles: false) else { return false }
        return other.lacksClient && other.issuer == profile.issuer && other.store != .file
      } catch {
        return true
      }
    }
  }

  /// Runs a login that may use the client registered at the issuer of a profile: no other process deletes it meanwhile.
  ///
  /// - Throws: `AuthError.tryLater` if the client is being deleted; the error of the login.
  func keepingClient<Result: Sendable>(
    of profile: Profile, _ login: @Sendable () async throws -> Result
  ) async throws -> Result {
    guard profile.lacksClient else { return try await login() }
    let outcome: Swift.Result<Result, any Error>? = try await clientLock(of: profile)
      .withLock(.shared, deadline: refreshPolicy.lockDeadline) { _ in
        do { return .success(try await login()) } catch { return .failure(error) }
      }
    guard let outcome else {
      throw AuthError.tryLater(
        "profile \(profile.name)", why: "another process is deleting the registered client, and has not finished",
        hint: "log in again when it has")
    }
    return try outcome.get()
  }

  /// Deletes the client registered at the issuer of a profile, unless another profile or a login in progress uses it.
  ///
  /// - Parameter isRemoved: whether the profile's file was removed.
  /// - Returns: nil if it is still used.
  /// - Throws: `AuthError.usage` if the profiles' folder can't be read; the error of the deletion.
  func deletingClient<Result: Sendable>(
    of profile: Profile, isRemoved: Bool, _ delete: @Sendable () async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result? {
    // Not at once: a child of this process has its files, too, until it has become another program.
    let outcome: Result?? = try await clientLock(of: profile).withLock(.exclusive, deadline: .milliseconds(100)) {
      _ throws(AuthError) in
      try sharesClient(profile, isRemoved: isRemoved) ? nil : try await delete()
    }
    return outcome ?? nil
  }

  /// Returns the lock on the use of the client registered at the issuer of a profile.
  private func clientLock(of profile: Profile) -> any RefreshLock {
    let issuer = Secret(profile.issuer ?? "").fingerprint
    return fileLock(state.appending("locks").appending(".client-\(issuer).lock"))
  }

  /// Returns the client ID of a profile that names none: that of its tokens, else that of the registered client.
  ///
  /// - Throws: `AuthError.storage`.
  func clientID(of profile: Profile) async throws(AuthError) -> String? {
    guard profile.lacksClient else { return nil }
    let issued = try await SecretTokenStorage(store(of: profile), profile: profile.name.string).load()?.server
    if let issued, issued.issuer == profile.issuer, !issued.clientID.isEmpty { return issued.clientID }
    return try await server(profile, events: { _ in }).registeredClient()?.clientID
  }
}
