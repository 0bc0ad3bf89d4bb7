import Foundation
import HTTPTypes
import Testing

@testable import AuthCore

@Suite("OAuthClient")
struct OAuthClientTests {
  private let secret = Secret("a/+ %&=:ü")

  private func authenticated(
    _ authentication: ClientAuthentication, _ encoding: BasicEncoding = .percent, secret: Secret?
  ) async throws -> (form: [String], authorization: String?) {
    let client = OAuthClient(
      clientID: "cli:1", authentication: authentication, basicEncoding: encoding, secret: secret)
    var form = [(name: "grant_type", value: "x")]
    var fields: HTTPFields = [:]
    try await client.authenticate(&form, &fields, at: try WebURL("https://id.example/token"))
    return (form.map { "\($0.name)=\($0.value)" }, fields[.authorization])
  }

  @Test(
    "HTTP Basic encodes identifier and secret in one of three ways (RFC 6749, section 2.3.1; real-servers.md, 17)",
    arguments: [
      (.percent, "cli%3A1:a%2F%2B%20%25%26%3D%3A%C3%BC"), (.form, "cli%3A1:a%2F%2B+%25%26%3D%3A%C3%BC"),
      (.raw, "cli:1:a/+ %&=:ü"),
    ] as [(BasicEncoding, String)])
  func basic(encoding: BasicEncoding, expected: String) async throws {
    let (form, authorization) = try await authenticated(.basic, encoding, secret: secret)
    #expect(form == ["grant_type=x"])
    let field = try #require(authorization)
    let base64 = try #require(field.hasPrefix("Basic ") ? String(field.dropFirst(6)) : nil)
    let pair = try #require(Data(base64Encoded: base64))
    #expect(String(decoding: pair, as: UTF8.self) == expected)
  }

  @Test("client_secret_post puts both into the form")
  func post() async throws {
    let (form, authorization) = try await authenticated(.post, secret: secret)
    #expect(form == ["grant_type=x", "client_id=cli:1", "client_secret=a/+ %&=:ü"])
    #expect(authorization == nil)
  }

  @Test("a public client names itself (RFC 6749, section 3.2.1)")
  func none() async throws {
    let (form, authorization) = try await authenticated(.none, secret: nil)
    #expect(form == ["grant_type=x", "client_id=cli:1"])
    #expect(authorization == nil)
  }

  @Test(
    "the hint for a refused client names the ways out, the encodings that were not used (real-servers.md, 17, 29)",
    arguments: [
      (.percent, "a:b", #"or basic_encoding = "form" or "raw""#),
      (.form, "a:b", #"basic_encoding = "percent" or "raw""#),
      (.raw, "a/b", #"basic_encoding = "percent" or "form""#),
      (.raw, "a:b", "some servers cut a raw secret off at its ':'"),
    ] as [(BasicEncoding, String, String)])
  func hint(encoding: BasicEncoding, secret: String, words: String) {
    let client = OAuthClient(
      clientID: "c", authentication: .basic, basicEncoding: encoding, secret: Secret(secret))
    #expect(client.hint.contains(#"client_authentication = "client_secret_post""#))
    #expect(client.hint.contains(words))
  }
}
