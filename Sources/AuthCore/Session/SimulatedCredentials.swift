/// A failure of the access token that is simulated, to show the refresh that follows it.
package enum TokenSimulation: String, Sendable, CaseIterable {
  /// The stored token counts as expired, and is refreshed before the request.
  case expired
  /// An altered token is sent, which the API refuses. The token is then refreshed, and the request is replayed.
  case refused
}

/// Provides the credentials of a session, and simulates one failure of its token. The refresh is real.
///
/// The session never learns of an altered token: nothing about it is stored, whatever the API responds.
package actor SimulatedCredentials: CredentialSource {
  private let session: TokenSession
  private let simulation: TokenSimulation
  private let random: RandomText
  private var altered: Secret?
  /// Whether the token was refreshed because of the simulation. From then on, the credentials are the session's.
  package private(set) var isOver = false

  /// Creates the credentials of a session.
  ///
  /// - Parameter random: generates the text that replaces a part of the token.
  package init(of session: TokenSession, _ simulation: TokenSimulation, random: @escaping RandomText) {
    self.session = session
    self.simulation = simulation
    self.random = random
  }

  package func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    if isOver { return try await session.credential(replacing: rejected) }
    switch simulation {
    case .expired: _ = try await session.refresh(because: "the token counts as expired (simulated)")
    case .refused:
      guard let rejected, rejected == altered else {
        let credential = try await session.credential(replacing: rejected).altered(by: random)
        altered = credential.token
        return credential
      }
      // Not as the replacement of the stored token: the API has not refused that one, so nothing is noted about it.
      _ = try await session.refresh(because: "the API refused the altered token (simulated)")
    }
    isOver = true
    return try await session.credential(replacing: nil)
  }

  package func remember(_ verdict: APIVerdict, on token: Secret) async -> Duration? {
    await session.remember(verdict, on: token)
  }
}

extension APICredential {
  /// Returns this credential with an altered token, whose refusal causes a refresh.
  fileprivate func altered(by random: RandomText) -> APICredential {
    let token = token.altered(by: random)
    return prover.map { APICredential(token, prover: $0) } ?? APICredential(token)
  }
}

extension Secret {
  /// Returns a token of the same form that is not valid: a JWT with another signature, or another opaque token.
  ///
  /// The text after the last dot is replaced at random, so that the result does not reveal the token.
  func altered(by random: RandomText) -> Secret {
    let begin = exposed.utf8.lastIndex(of: UInt8(ascii: ".")).map { exposed.utf8.index(after: $0) }
    let start = begin.flatMap { $0 < exposed.endIndex ? $0 : nil } ?? exposed.startIndex
    var noise: [UInt8] = []
    // The last character stays: in Base64url, some of its bits must be zero.
    let replaced = exposed.utf8[start...].dropLast().map { byte in
      if noise.isEmpty { noise = Array(random().utf8) }
      return Secret.replacement(of: byte, by: noise.popLast() ?? 0)
    }
    let text = exposed[..<start] + String(decoding: replaced, as: UTF8.self) + exposed[start...].suffix(1)
    return Secret(text == exposed ? exposed + "2" : String(text))
  }

  /// Returns a character of the same kind that is in each alphabet of tokens: hexadecimal, Base32, Base58, Base64.
  private static func replacement(of byte: UInt8, by noise: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "2") + noise % 6
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(ascii: "a") + noise % 6
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(ascii: "A") + noise % 6
    default: byte
    }
  }
}
