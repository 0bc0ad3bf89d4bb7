import Testing

@testable import AuthCore

@Suite("NearestName")
struct NearestNameTests {
  private let known = ["issuer", "client_id", "scope", "api", "refresh_before", "refresh_on"]

  @Test(
    "the name that was most likely meant is found",
    arguments: [
      ("isuer", "issuer"), ("ISSUER", "issuer"), ("issure", "issuer"), ("scpoe", "scope"), ("clientid", "client_id"),
      ("apis", "api"), ("refresh_befor", "refresh_before"), ("refreshon", "refresh_on"), ("password", nil), ("x", nil),
      ("", nil), ("ap", "api"), ("is", nil), ("aix", nil), ("refresh_bexxxe", "refresh_before"),
    ] as [(String, String?)])
  func nearest(typed: String, expected: String?) {
    #expect(NearestName.of(typed, among: known) == expected)
  }

  @Test("of two that are as near the first in the alphabet is named")
  func tie() {
    #expect(NearestName.of("bat", among: ["cat", "bar"]) == "bar")
    #expect(NearestName.of("bat", among: []) == nil)
  }

  @Test("a hint begins with the name, and is empty without one")
  func hint() {
    #expect(NearestName.hint(for: "isuer", among: ["issuer"]) == "did you mean 'issuer'? ")
    #expect(NearestName.hint(for: "x", among: ["issuer"]).isEmpty)
  }
}
