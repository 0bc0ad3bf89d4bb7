import Crypto
import JWTKit

extension AssertionKey.Material {
  /// Reads the private key from the blocks of a PEM text (RFC 7468).
  static func pem(_ text: String) throws(AssertionKey.Unusable) -> AssertionKey.Material {
    let blocks = blocks(text)
    // `openssl ecparam` puts a block of parameters in front of the key.
    guard let block = blocks.first(where: { $0.label.ends(withBytes: "PRIVATE KEY") }) else {
      throw AssertionKey.Unusable(
        reason: blocks.first.map { "it holds \($0.label.lowercased()), and no private key" }
          ?? "it is neither a PEM text nor a JWK",
        remedy: "use a private key as PEM or JWK; convert DER with: openssl pkey -inform DER -in FILE")
    }
    if block.label == "OPENSSH PRIVATE KEY" {
      throw AssertionKey.Unusable(
        reason: "it is in OpenSSH's format", remedy: "convert a copy to PEM: ssh-keygen -p -m PKCS8 -f COPY")
    }
    if block.label == "ENCRYPTED PRIVATE KEY" || block.text.contains(bytes: "Proc-Type: 4,ENCRYPTED") {
      throw AssertionKey.Unusable(
        reason: "it is encrypted, and there is no prompt for its passphrase",
        remedy: "store it in the keyring instead, decrypted with: openssl pkey -in FILE")
    }
    if let elliptic = elliptic(block.text) { return elliptic }
    return try rsa(block.text)
  }

  /// Tries each kind of key, because the form does not show the kind before it is parsed. Each kind refuses the
  /// identifiers of the others.
  private static func elliptic(_ pem: String) -> AssertionKey.Material? {
    func read<Key>(_ make: (String) throws -> Key) -> Key? {
      do { return try make(pem) } catch { return nil }
    }
    return read { .p256(try ES256PrivateKey(pem: $0)) } ?? read { .p384(try ES384PrivateKey(pem: $0)) }
      ?? read { .p521(try ES512PrivateKey(pem: $0)) } ?? read { .ed25519(try EdDSA.PrivateKey(pem: $0)) }
  }

  private static func rsa(_ pem: String) throws(AssertionKey.Unusable) -> AssertionKey.Material {
    do {
      return .rsa(try Insecure.RSA.PrivateKey(pem: pem))
    } catch CryptoKitError.incorrectParameterSize {
      throw .shortRSA
    } catch {
      throw AssertionKey.Unusable(
        reason: "its private key is damaged, or its type can't sign assertions",
        remedy: "use an RSA, P-256, P-384, P-521 or Ed25519 key")
    }
  }

  /// Returns the blocks with their lines and normalized line ends.
  private static func blocks(_ text: String) -> [(label: String, text: String)] {
    var blocks: [(label: String, text: String)] = []
    var open: (label: String, lines: [String])?
    for piece in text.split(atAny: "\r\n") {
      let line = String(piece).trimmingWhitespace()
      if let label = line.dropping(prefix: "-----BEGIN ")?.dropping(suffix: "-----") {
        open = (String(label), [line])
      } else if let block = open {
        open?.lines.append(line)
        guard line == "-----END \(block.label)-----" else { continue }
        blocks.append((block.label, (block.lines + [line]).joined(separator: "\n") + "\n"))
        open = nil
      }
    }
    return blocks
  }
}

extension AssertionKey.Unusable {
  static let shortRSA = AssertionKey.Unusable(
    reason: "it is an RSA key of fewer than 2048 bits", remedy: "create one of 2048 bits or more")
}
