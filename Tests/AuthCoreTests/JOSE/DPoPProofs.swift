import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import AuthCore

/// A proof that a test has taken apart and verified with the key in it.
struct OpenedProof {
  let header: JSONValue
  let claims: JSONValue

  /// Opens the proof of a request.
  init(_ fields: HTTPFields) throws {
    let values = fields[values: .dpop]
    try #require(values.count == 1)
    let parts = values[0].split(separator: ".").map(String.init)
    try #require(parts.count == 3)
    header = try JSONValue(parsing: try #require(Base64URL.decode(parts[0])))
    claims = try JSONValue(parsing: try #require(Base64URL.decode(parts[1])))
    let jwk = try #require(header["jwk"])
    let x = try #require(jwk["x"]?.string.flatMap { Base64URL.decode($0) })
    let y = try #require(jwk["y"]?.string.flatMap { Base64URL.decode($0) })
    let key = try P256.Signing.PublicKey(rawRepresentation: x + y)
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Base64URL.decode(parts[2])))
    #expect(key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
  }
}
