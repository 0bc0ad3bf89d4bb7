import Crypto
import Foundation
import Testing

@testable import AuthCore

/// Signs ID tokens by ES256, as a server would.
struct TestSigner {
  private let key = DPoPKey()
  /// `kid`
  var keyID = "k1"

  /// The public key as an entry of a key set.
  var entry: JSONValue {
    get throws {
      guard case .object(var members) = key.publicKey else { throw Unexpected("nothing of the kind") }
      members["kid"] = .string(keyID)
      members["use"] = .string("sig")
      return .object(members)
    }
  }

  /// The key set with this key in it.
  func keySet(_ others: [JSONValue] = []) throws -> String {
    try JSONValue.object(["keys": .array(others + [try entry])]).text()
  }

  /// A signed token.
  func token(_ payload: String, header: String? = nil) throws -> Secret {
    let header = header ?? #"{"alg":"ES256","kid":"\#(keyID)"}"#
    let input = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload.utf8)
    return Secret(input + "." + Base64URL.encode(try key.signature(of: input)))
  }
}

/// A token that is signed with a shared secret: HS256, HS384 or HS512.
func hmac(_ payload: String, key: String, by algorithm: String = "HS256") -> Secret {
  let input = Base64URL.encode(#"{"alg":"\#(algorithm)"}"#.utf8) + "." + Base64URL.encode(payload.utf8)
  let (data, key) = (Data(input.utf8), SymmetricKey(data: Data(key.utf8)))
  let code: [UInt8] =
    switch algorithm {
    case "HS384": Array(HMAC<SHA384>.authenticationCode(for: data, using: key))
    case "HS512": Array(HMAC<SHA512>.authenticationCode(for: data, using: key))
    default: Array(HMAC<SHA256>.authenticationCode(for: data, using: key))
    }
  return Secret(input + "." + Base64URL.encode(code))
}
