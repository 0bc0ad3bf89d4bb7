import FoundationEssentials

extension Login {
  /// Verifies the ID token of a response, if `openid` was requested.
  ///
  /// An ID token that was not requested is removed if it does not verify: only the displayed name depends on it. A
  /// requested ID token that is missing causes a warning, because several servers send none in some grants.
  ///
  /// - Parameter time: the time at which the response arrived, by the server's clock if the local one is wrong.
  /// - Throws: ``AuthError/refused(_:)`` if the ID token is invalid, ``AuthError/tryLater(_:)`` if the server's keys
  ///   are unavailable.
  func verified(
    _ response: TokenResponse, _ binding: IDTokenBinding, at time: Date
  ) async throws(AuthError) -> TokenResponse {
    let wasAsked = profile.scope.contains("openid")
    guard let idToken = response.idToken else {
      if wasAsked, profile.flow != .clientCredentials {
        server.connection.events(
          .warning("the server sent no ID token although openid was requested: the user is unknown"))
      }
      return response
    }
    do throws(AuthError) {
      try await verify(idToken, of: response, binding, at: time)
      return response
    } catch {
      guard !wasAsked else { throw error }
      server.connection.events(
        .warning("ignored an ID token that was not requested: \(error.explanation.why)"))
      var without = response
      without.idToken = nil
      return without
    }
  }

  private func verify(
    _ idToken: Secret, of response: TokenResponse, _ binding: IDTokenBinding, at time: Date
  ) async throws(AuthError) {
    let check = IDTokenCheck(
      issuer: metadata?.issuer ?? profile.issuer, clientID: profile.clientID, nonce: binding.nonce,
      accessToken: response.accessToken, code: binding.code,
      maxAge: profile.parameters.authorization["max_age"].flatMap { Double($0) }, now: time)
    let url = profile.endpoints.jwks ?? metadata?.jwksURI
    let verifier = IDTokenVerifier(
      check: check, keySet: url.map { KeySetDocument(url: $0, connection: server.connection) },
      clientSecret: profile.clientAuthentication.needsSecret ? clientSecret : nil,
      secretAlgorithms: secretAlgorithms(hasKeySet: url != nil))
    do {
      warnOfOtherLogin(try await verifier.verify(idToken))
    } catch let error as IDTokenVerifier.Refusal {
      throw .refused(
        "logging in to \(profile.name)", why: "the ID token \(error.reason)",
        hint: "nothing was stored; ask the server's operator")
    } catch let error as AuthError {
      throw error
    } catch {
      throw .failed(
        "logging in to \(profile.name)", why: "verifying the ID token was interrupted", hint: "log in again")
    }
  }

  /// Warns if the login has another level than requested. `acr_values` is only a wish (OpenID Connect Core,
  /// section 3.1.2.1), and an API that requires the level then refuses the token.
  private func warnOfOtherLogin(_ token: SignedToken) {
    let wanted = profile.parameters.authorization["acr_values"]?.split(atAny: " ").map(String.init) ?? []
    guard !wanted.isEmpty, let acr = token.claims["acr"]?.string, !wanted.contains(acr) else { return }
    server.connection.events(
      .warning(
        "the login has the level '\(Escaped.text(acr))', not the requested: "
          + Escaped.text(wanted.joined(separator: " "))))
  }

  /// Returns the HMAC algorithms to accept. These are the ones that the server states, or all if it states none and
  /// publishes no keys.
  private func secretAlgorithms(hasKeySet: Bool) -> Set<SignatureAlgorithm> {
    let all = SignatureAlgorithm.allCases.filter(\.isSymmetric)
    guard let stated = metadata?.idTokenSigningAlgValuesSupported else { return hasKeySet ? [] : Set(all) }
    return Set(all.filter { stated.contains($0.rawValue) })
  }
}
