import HTTPTypes

/// Finds in the responses of an API the codes that mean "renew and replay" (`refresh_on_codes`).
///
/// To find them a response must be looked at before any of it is shown, so only those are held back that can have one:
/// of JSON, up to 64 KiB, and with a status of 400 or more, or of any where the profile names a success flag. All
/// others are streamed as they come.
package struct RefusalCodes: Sendable {
  /// The longest answer that is held back, in bytes.
  static let limit = 64 << 10

  private let pointers: ResponsePointers

  /// Takes what a profile says; nil where it names no codes.
  package init?(_ profile: Profile) {
    guard let pointers = profile.custom?.response, !pointers.refreshOnCodes.isEmpty else { return nil }
    self.pointers = pointers
  }

  /// Whether a response must be held back until it is known, by its header.
  func mayBe(in response: TransferResponse) -> Bool {
    guard response.status >= 400 || !pointers.success.isEmpty else { return false }
    if let length = response.fields[.contentLength].flatMap({ Int($0) }), length > RefusalCodes.limit { return false }
    let type = response.fields[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    return type == "application/json" || type?.hasSuffix("+json") == true
  }

  /// Whether a body says that the token must be renewed.
  func are(in body: [UInt8], status: Int) -> Bool {
    // What is no JSON after all is no refusal.
    guard let document = try? JSONValue(parsing: body), status >= 400 || pointers.refuses(document),
      let code = pointers.code(document)
    else { return false }
    return pointers.refreshOnCodes.contains(code)
  }
}

extension TransferResponse {
  /// Whether a response says nothing against the token, whatever its status: it is not enough for the request, or its
  /// proof lacks a nonce (RFC 9449, section 9).
  var sparesToken: Bool { InsufficientAuthorization(self) != nil || DPoPProver.namesNonceError(self) }
}
