import HTTPTypes
import Testing

@testable import AuthCore

@Suite("Challenge")
struct ChallengeTests {
  @Test(
    "each challenge of WWW-Authenticate is found, whole and alone (RFC 9110, sections 11.2 to 11.6.1)",
    arguments: ChallengeVector.rfc + ChallengeVector.browsers + ChallengeVector.sloppy)
  func vectors(vector: ChallengeVector) {
    var fields: HTTPFields = [:]
    for value in vector.fields { fields.append(HTTPField(name: .wwwAuthenticate, value: value)) }
    #expect(Challenge.all(in: fields).map(ChallengeVector.text) == vector.expected)
  }

  @Test("the vectors of the browsers' test cases are all there")
  func count() {
    #expect(ChallengeVector.browsers.count == 31)
    #expect(Set(ChallengeVector.browsers.map(\.name)).count == 31)
  }

  @Test("a parameter is found by its name, whatever its case was; one that stands twice is none (section 11.2)")
  func parameters() throws {
    let challenge = try #require(Challenge.all(in: "Bearer ERROR=a, scope=b, Scope=c, realm=d").first)
    #expect(challenge["error"] == "a")
    #expect(challenge["scope"] == nil)
    #expect(challenge["realm"] == "d")
    #expect(challenge["missing"] == nil)
  }

  @Test("every beginning of every vector can be read, and nothing is found twice")
  func beginnings() {
    for vector in ChallengeVector.rfc + ChallengeVector.browsers + ChallengeVector.sloppy {
      for value in vector.fields {
        for length in 0...value.utf8.count {
          let start = String(decoding: Array(value.utf8.prefix(length)), as: UTF8.self)
          #expect(Challenge.all(in: start).count <= start.utf8.count { $0 == UInt8(ascii: ",") } + 1)
        }
      }
    }
  }

  @Test("any bytes can be read, and none is in two parameters")
  func anything() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("aB=,\" \t\\;/é".utf8)
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      let value = String(decoding: bytes, as: UTF8.self)
      let shown = Challenge.all(in: value).map { ($0.token68 ?? "") + $0.parameters.map(\.value).joined() }.joined()
      #expect(shown.utf8.count <= value.utf8.count, "\(value)")
    }
  }

  @Test(
    "a long field is read in a time that grows with its length only",
    arguments: ["A ", ",", "\"", "A x=1,", "\\", "a=", "A a=\"", "a ", " ", "A x=1 ", "= ", "A x=\"1\" y=\"2\" "])
  func linear(piece: String) {
    func time(_ bytes: Int) -> Duration {
      let value = String(repeating: piece, count: bytes / piece.utf8.count)
      return ThreadTime.of { _ = Challenge.all(in: value) }
    }
    // Eight times the length: eight times the time, and four times that for a busy machine; squared it would be 64.
    #expect(time(1 << 15) < time(1 << 12) * 32 + .milliseconds(20))
  }
}
