import TestSupport
import Testing

@testable import AuthCore

@Suite("BasicCredentials")
struct BasicCredentialsTests {
  @Test(
    "the examples of RFC 7617, sections 2 and 2.1",
    arguments: [("Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "dGVzdDoxMjPCow==")])
  func examples(username: String, password: String, encoded: String) throws {
    let credentials = try #require(BasicCredentials(username: username, password: Secret(password)))
    #expect(credentials.encoded == Secret(encoded))
    #expect(BasicCredentials(encoded: Secret(encoded)) == credentials)
  }

  @Test("a password may have colons, a name none, and neither control characters (section 2)")
  func limits() throws {
    let credentials = try #require(BasicCredentials(username: "a", password: Secret("b:c:")))
    #expect(BasicCredentials(encoded: credentials.encoded) == credentials)
    #expect(BasicCredentials(username: "a:b", password: Secret("c")) == nil)
    #expect(BasicCredentials(username: "a:\u{301}b", password: Secret("c")) == nil)
    #expect(BasicCredentials(username: "a", password: Secret("c\n")) == nil)
    #expect(BasicCredentials(username: "a\u{7F}", password: Secret("c")) == nil)
    #expect(BasicCredentials(encoded: Secret("bm8=")) == nil)
    #expect(BasicCredentials(encoded: Secret("?")) == nil)
  }

  @Test("a password has no fingerprint in what is shown")
  func fingerprint() throws {
    let credentials = try #require(BasicCredentials(username: "a", password: Secret("b")))
    #expect(TokenPair(credentials, issuedAt: .sample).fingerprint == "(password)")
    #expect(samplePair().fingerprint == Secret("A1").fingerprint)
  }
}
