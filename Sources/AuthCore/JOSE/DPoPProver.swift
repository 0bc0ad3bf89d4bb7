import Crypto
import FoundationEssentials
public import HTTPTypes
import Synchronization

/// Proves, request by request, that the key of a session is here (RFC 9449).
struct DPoPProver: Sendable {
  let key: DPoPKey
  private let nonces: DPoPNonces
  private let now: @Sendable () -> Date
  private let random: RandomText

  /// The error that asks for a nonce (RFC 9449, sections 8 and 9).
  static let nonceError = "use_dpop_nonce"

  /// The longest nonce that is sent back, in bytes.
  private static let nonceLimit = 4096

  /// Proves with a key.
  init(
    key: DPoPKey, nonces: DPoPNonces, now: @escaping @Sendable () -> Date,
    random: @escaping RandomText = SystemRandomText.make
  ) {
    self.key = key
    self.nonces = nonces
    self.now = now
    self.random = random
  }

  /// One proof.
  struct Proof: Sendable {
    /// The `DPoP` field.
    let field: HTTPField
    /// The nonce in it; nil where the server has given none yet.
    let nonce: String?
  }

  /// Makes the proof for one request (section 4.2); each is used once.
  ///
  /// - Parameter token: the access token that goes with it; nil at the token endpoint.
  /// - Throws: ``DPoPKey/Unusable``.
  func proof(for method: HTTPRequest.Method, _ url: WebURL, token: Secret? = nil) throws(DPoPKey.Unusable) -> Proof {
    let nonce = nonces[url.origin]
    // A second back: to a server without any tolerance a proof of this very second may be one of the future.
    let issuedAt = Int64(now().timeIntervalSince1970.rounded(.down)) - 1
    var claims: [String: JSONValue] = [
      "jti": .string(random()), "htm": .string(method.rawValue), "htu": .string(url.origin.string + url.path),
      "iat": .integer(issuedAt),
    ]
    if let nonce { claims["nonce"] = .string(nonce) }
    if let token { claims["ath"] = .string(Base64URL.encode(SHA256.hash(data: Data(token.exposed.utf8)))) }
    let header: JSONValue = .object([
      "typ": .string("dpop+jwt"), "alg": .string("ES256"), "jwk": key.publicKey,
    ])
    let signed = try DPoPProver.encoded(header) + "." + DPoPProver.encoded(.object(claims))
    let value = signed + "." + Base64URL.encode(try key.signature(of: signed))
    return Proof(field: HTTPField(name: .dpop, value: value), nonce: nonce)
  }

  /// Keeps the nonce of a response for the next proof to its origin, whatever the status (section 8.2).
  func learn(from response: TransferResponse, of url: WebURL) {
    guard let nonce = DPoPProver.nonce(in: response) else { return }
    nonces[url.origin] = nonce
  }

  /// Whether a response gives another nonce than the proof had.
  static func isNew(_ response: TransferResponse, used: String?) -> Bool {
    nonce(in: response).map { $0 != used } ?? false
  }

  /// Whether an API refuses a proof for want of a nonce: 401 with the challenge `DPoP`, whose error some leave out
  /// (section 9). Another error, such as `invalid_token`, is what it says.
  static func isNonceDemand(_ response: TransferResponse, used: String?) -> Bool {
    guard response.status == 401, isNew(response, used: used) else { return false }
    let errors = Challenge.all(in: response.fields).compactMap { $0["error"] }
    return errors.contains(nonceError) || errors.isEmpty
  }

  /// Whether an API says by its error that the proof needs another nonce: the token is as good as it was (section 9).
  static func namesNonceError(_ response: TransferResponse) -> Bool {
    Challenge.all(in: response.fields).contains { $0["error"] == nonceError }
  }

  /// The nonce that a response gives for the next proof; nil where it gives none that can be sent.
  static func nonce(in response: TransferResponse) -> String? {
    // NQCHAR of RFC 6749, appendix A.2: no other character is in a nonce, and none that would break the JSON.
    guard let nonce = response.fields[.dpopNonce], !nonce.isEmpty, nonce.utf8.count <= nonceLimit,
      nonce.utf8.allSatisfy({ $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) })
    else { return nil }
    return nonce
  }

  private static func encoded(_ value: JSONValue) throws(DPoPKey.Unusable) -> String {
    do {
      return Base64URL.encode(try value.text().utf8)
    } catch {
      throw DPoPKey.Unusable(reason: "the proof can't be encoded")
    }
  }
}

extension HTTPField.Name {
  /// `DPoP` (RFC 9449, section 4.1)
  public static var dpop: HTTPField.Name { name("DPoP") }
  /// `DPoP-Nonce` (RFC 9449, section 8.1)
  static var dpopNonce: HTTPField.Name { name("DPoP-Nonce") }

  private static func name(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a name of RFC 9449") }
    return name
  }
}

/// The nonces that servers have given for the next proofs, by origin, for as long as the process lives (RFC 9449,
/// section 8).
final class DPoPNonces: Sendable {
  private let nonces = Mutex<[Origin: String]>([:])

  /// Starts without any.
  init() {}

  /// The newest nonce of an origin.
  subscript(origin: Origin) -> String? {
    get { nonces.withLock { $0[origin] } }
    set { nonces.withLock { $0[origin] = newValue } }
  }
}
