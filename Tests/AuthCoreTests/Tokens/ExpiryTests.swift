import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("Expiry")
struct ExpiryTests {
  /// A token that says of itself that it expires an hour after the sample time.
  private let token = jwt(#"{"exp":1767326645}"#)

  private func seconds(
    _ response: TokenResponse, serverAhead: Double? = nil, lifetime: Duration? = nil
  ) -> Double? {
    Expiry.accessToken(
      response, sentAt: .sample, serverDate: serverAhead.map { Date.sample.addingTimeInterval($0) },
      lifetime: lifetime)?.timeIntervalSince(.sample)
  }

  @Test("expires_in counts from the moment of sending and goes before all else (RFC 6749, section 5.1)")
  func expiresIn() {
    let response = TokenResponse(accessToken: token, expiresIn: 10)
    #expect(seconds(response, serverAhead: 500, lifetime: .seconds(60)) == 10)
  }

  @Test(
    "else the JWT's exp counts, moved by the difference of the clocks (RFC 7519, section 4.1.4)",
    arguments: [(nil, 3600), (0, 3600), (2, 3600), (-2, 3600), (600, 3000), (-600, 4200)] as [(Double?, Double)])
  func exp(serverAhead: Double?, expected: Double) {
    #expect(seconds(TokenResponse(accessToken: token), serverAhead: serverAhead, lifetime: .seconds(60)) == expected)
  }

  @Test(
    "else the life that the profile states, else it is unknown",
    arguments: [
      Secret("opaque"), Secret("a.b.c"), jwt(#"{"sub":"x"}"#), jwt(#"{"exp":"never"}"#), jwt("[]"),
      jwt(#"{"exp":1e300}"#), jwt(#"{"exp":-5}"#),
    ])
  func lifetime(token: Secret) {
    #expect(seconds(TokenResponse(accessToken: token), lifetime: .seconds(3600)) == 3600)
    #expect(seconds(TokenResponse(accessToken: token), serverAhead: 10) == nil)
  }

  @Test("exp may have a fraction or be a string (real-servers.md, 21)")
  func lenient() {
    #expect(seconds(TokenResponse(accessToken: jwt(#"{"exp":1767326645.5}"#))) == 3600.5)
    #expect(seconds(TokenResponse(accessToken: jwt(#"{"exp":"1767326645"}"#))) == 3600)
  }

  @Test("whatever a server says can be stored", arguments: ["1e300", "253402300798", "1e12", "-1e300"])
  func storable(exp: String) throws {
    let pair = TokenPair(
      TokenResponse(accessToken: jwt(#"{"exp":\#(exp)}"#), refreshExpiresIn: 1e10), sentAt: .sample, serverDate: nil,
      lifetime: nil, server: nil)
    let read = try TokenPair(stored: pair.stored())
    #expect(read.expiresAt == pair.expiresAt)
  }
}
