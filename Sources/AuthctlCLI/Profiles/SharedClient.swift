import AuthCore

extension Context {
  /// Whether another profile uses the client that was registered at the issuer of a profile.
  ///
  /// A profile that can't be read may use it, too.
  ///
  /// - Throws: `AuthError.usage` if the profiles' folder can't be read.
  func sharesClient(_ profile: Profile) throws(AuthError) -> Bool {
    try profiles.names().contains { name in
      guard name != profile.name else { return false }
      do throws(AuthError) {
        guard let other = try profiles.profile(name, requiringFiles: false) else { return false }
        return other.lacksClient && other.issuer == profile.issuer
      } catch {
        return true
      }
    }
  }

  /// Returns the client ID of a profile that names none: that of its tokens, else that of the registered client.
  ///
  /// - Throws: `AuthError.storage`.
  func clientID(of profile: Profile) async throws(AuthError) -> String? {
    guard profile.lacksClient else { return nil }
    let secrets = secrets(false)
    let issued = try await StoredTokens(secrets, profile: profile.name.string).load()?.server
    if let issued, issued.issuer == profile.issuer, !issued.clientID.isEmpty { return issued.clientID }
    return try await server(profile, events: { _ in }, wire: nil).registeredClient()?.clientID
  }
}
