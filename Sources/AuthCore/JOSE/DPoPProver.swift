import Crypto
import FoundationEssentials
public import HTTPTypes
import Synchronization

/// Proves possession of a session's key for each request (RFC 9449).
struct DPoPProver: Sendable {
  let key: DPoPKey
  private let nonces: DPoPNonces
  private let now: @Sendable () -> Date
  private let random: RandomText

  /// The error code that requires a nonce (RFC 9449, sections 8 and 9).
  static let nonceError = "use_dpop_nonce"

  /// The longest nonce that is sent back, in bytes.
  private static let nonceLimit = 4096

  /// Creates a prover for a key.
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
    /// The nonce in it; nil if the server has not sent one yet.
    let nonce: String?
  }

  /// Creates the proof for one request (section 4.2); each is used once.
  ///
  /// - Parameter token: the access token that is sent with it; nil at the token endpoint.
  /// - Throws: ``DPoPKey/Unusable``.
  func proof(for method: HTTPRequest.Method, _ url: WebURL, token: Secret? = nil) throws(DPoPKey.Unusable) -> Proof {
    let nonce = nonces[url.origin]
    // One second earlier: for a server without tolerance, a proof with the current second may be in the future.
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

  /// Stores the nonce of a response for the next proof to its origin, regardless of the status (section 8.2).
  func learn(from response: TransferResponse, of url: WebURL) {
    guard let nonce = DPoPProver.nonce(in: response) else { return }
    nonces[url.origin] = nonce
  }

  /// Whether a response contains a different nonce than the proof.
  static func isNew(_ response: TransferResponse, used: String?) -> Bool {
    nonce(in: response).map { $0 != used } ?? false
  }

  /// Whether an API refuses a proof because it requires another nonce (section 9): a 401 with a new nonce, and with the
  /// error `use_dpop_nonce` or no error, which some APIs omit. Any other error, such as `invalid_token`, is not a nonce
  /// error.
  static func isNonceDemand(_ response: TransferResponse, used: String?) -> Bool {
    guard response.status == 401, isNew(response, used: used) else { return false }
    let errors = Challenge.all(in: response.fields).compactMap { $0["error"] }
    return errors.contains(nonceError) || errors.isEmpty
  }

  /// Whether an API's error requires another nonce in the proof; the token itself is not refused (section 9).
  static func namesNonceError(_ response: TransferResponse) -> Bool {
    Challenge.all(in: response.fields).contains { $0["error"] == nonceError }
  }

  /// Returns the nonce of a response for the next proof; nil if there is none that can be sent.
  static func nonce(in response: TransferResponse) -> String? {
    // A nonce has the characters of a scope word (RFC 9449, section 8.1), so that it can't break the JSON.
    guard let nonce = response.fields[.dpopNonce], nonce.utf8.count <= nonceLimit, nonce.isScopeWord else { return nil }
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

/// The nonces that servers have sent for the next proofs, by origin, kept until the process ends (RFC 9449, section 8).
final class DPoPNonces: Sendable {
  private let nonces = Mutex<[String: String]>([:])

  /// Creates an empty list.
  init() {}

  /// The newest nonce of an origin.
  subscript(origin: Origin) -> String? {
    get { nonces.withLock { $0[origin.string] } }
    set { nonces.withLock { $0[origin.string] = newValue } }
  }
}
