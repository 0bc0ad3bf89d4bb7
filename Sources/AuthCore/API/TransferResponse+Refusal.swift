import FoundationEssentials
import HTTPTypes

extension TransferResponse {
  /// The API's error code and its description, from the challenge (RFC 6750, section 3) or else from the JSON body,
  /// escaped, and without the secrets of the request.
  package var refusalWords: (error: String?, description: String?) {
    let challenge = Challenge.all(in: fields).first { $0["error"] != nil }
    let failure = challenge == nil ? ServerFailure(self) : nil
    let known = KnownSecrets(inServerText: secrets.map(\.exposed))
    let description = (challenge?["error_description"] ?? failure?.message).map { text in
      Escaped.text(SecretText.withoutLongWords(SecretText.redacted(known.redacting(text))), limit: 200)
    }
    let error = challenge?["error"] ?? failure?.code
    return (error.map { Escaped.text(known.redacting($0), limit: 80) }, description)
  }

  /// Returns the refusal of a request's token that this response is, for a ``TokenManager`` that sets its time.
  func refusal(of method: HTTPRequest.Method, _ path: String) -> TokenPair.Refusal {
    let (error, description) = refusalWords
    return TokenPair.Refusal(
      at: Date(), status: status, error: error, description: description,
      request: Escaped.text("\(method.rawValue) \(path.prefix(upToAny: "?"))", limit: 200))
  }
}
