import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("ErrorReport") struct ErrorReportTests {
  @Test(
    "words a typed remedy, after the hint",
    arguments: [
      (.tryAgain(after: 4.2), "kept; try again in 5s"), (.tryAgain(after: 130), "kept; try again in 2m 10s"),
      (.tryAgain(after: nil), "kept; try again later"),
      (.followNoRedirects, "kept; without -L the redirect itself is the response"),
      (.logIn(session: "work"), "kept; run: authctl login work"),
    ] as [(AuthError.Remedy, String)])
  func remedy(remedy: AuthError.Remedy, expected: String) {
    #expect(ErrorReport(AuthError.tryLater(.init("a", why: "b", hint: "kept", remedy: remedy))).hint == expected)
  }
}
