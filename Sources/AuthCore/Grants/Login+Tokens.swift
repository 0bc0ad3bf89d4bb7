import FoundationEssentials

extension Login {
  /// Takes tokens that were got elsewhere: one bare access token, or the JSON of a token response.
  ///
  /// - Parameter text: as it was read; white space around it is passed over.
  /// - Throws: ``AuthError/usage(_:)`` where it is neither.
  public func tokens(_ text: String) throws(AuthError) -> TokenPair {
    let trimmed = text.trimmingWhitespace()
    let response = trimmed.hasPrefix("{") ? try tokenResponse(trimmed) : try bareToken(trimmed)
    guard response.tokenType.lowercased() != "dpop" else {
      throw unusable("it is bound to a key (token_type is DPoP), which authctl does not have")
    }
    let reading = server.connection.reading
    var pair = TokenPair(
      response, sentAt: reading.time, serverDate: nil, lifetime: profile.accessTokenLifetime,
      server: server.record(metadata, tokenEndpoint: profile.endpoints.token), clock: IssuanceClock(reading))
    pair.flow = profile.flow.rawValue
    return pair
  }

  private func tokenResponse(_ text: String) throws(AuthError) -> TokenResponse {
    do {
      return try TokenResponse(JSONValue(parsing: Array(text.utf8)))
    } catch let error as TokenResponse.Malformed {
      throw unusable(error.reason)
    } catch {
      throw unusable("it begins like JSON but is none")
    }
  }

  private func bareToken(_ text: String) throws(AuthError) -> TokenResponse {
    guard !text.isEmpty else { throw unusable("it is empty") }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw unusable("it has white space or other characters in it that no token has")
    }
    guard !["\"", "[", "'"].contains(text.first), !["null", "true", "false", "undefined"].contains(text) else {
      throw unusable("it looks like a piece of JSON, not like a token")
    }
    return TokenResponse(accessToken: Secret(text))
  }

  private func unusable(_ why: String) -> AuthError {
    .usage(
      .init(
        "the tokens on standard input", why: why,
        hint: "give one access token, or JSON such as {\"access_token\": …, \"refresh_token\": …}"))
  }
}

extension String {
  /// The text without spaces, tabs and line ends around it.
  func trimmingWhitespace() -> String {
    let isSpace: (Character) -> Bool = { $0.isWhitespace || $0.isNewline }
    guard let last = lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(self[...last].drop(while: isSpace))
  }
}
