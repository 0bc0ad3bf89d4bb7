import AuthCore
import FoundationEssentials

extension ExpectedClaims {
  /// Expects what a profile requests.
  ///
  /// - Parameters:
  ///   - pair: the session of the token; nil for a token from elsewhere.
  ///   - now: the current time, by the server's clock if it is known.
  init(_ profile: Profile, _ pair: TokenPair?, now: Date) {
    self.init(now: now)
    issuer = profile.issuer
    let client = profile.lacksClient ? pair?.server?.clientID ?? "" : profile.clientID
    clientID = client.isEmpty ? nil : client
    audience = [profile.audience].compactMap { $0 } + profile.resource
    api = profile.api
    scope = profile.scope
    granted = pair?.scope
    subject = pair?.subject
    keyThumbprint = pair?.dpopThumbprint
    sendsProofs = pair?.needsProof ?? profile.dpop
    certificateThumbprint = ExpectedClaims.certificate(of: profile)
  }

  /// Returns the thumbprint of the profile's client certificate; nil if it has none or the file can't be read.
  private static func certificate(of profile: Profile) -> String? {
    guard let path = profile.network.clientCertificate else { return nil }
    // A certificate that can't be read is an error of the requests that need it.
    let bytes = try? InputFile(path: path).smallContent()
    return bytes.flatMap { CertificateThumbprint.first(inPEM: String(decoding: $0, as: UTF8.self)) }
  }
}
