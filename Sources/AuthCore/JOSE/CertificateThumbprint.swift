import Crypto
import FoundationEssentials

/// The SHA-256 thumbprint of a certificate (`x5t#S256`), to which a token can be bound (RFC 8705, section 3.1).
package enum CertificateThumbprint {
  /// Returns the thumbprint of the first certificate in a PEM text; nil if there is none.
  package static func first(inPEM text: String) -> String? {
    let begin = "-----BEGIN CERTIFICATE-----"
    let lines = text.split(whereSeparator: \.isNewline).drop { $0 != begin }.dropFirst()
    let encoded = lines.prefix { !$0.hasPrefix("-----") }.joined()
    guard let bytes = Data(base64Encoded: encoded), !bytes.isEmpty else { return nil }
    return Base64URL.encode(SHA256.hash(data: bytes))
  }
}
