/// An error response of an authorization server (RFC 6749, sections 4.1.2.1 and 5.2), in any form that servers send.
public struct ErrorResponse: Sendable, Equatable {
  /// The HTTP status; nil if the error arrived by a redirect.
  public var status: Int?
  /// `error`; nil if the response has none or can't be parsed.
  public var error: String?
  /// `error_description`, escaped for display.
  public var errorDescription: String?

  /// Creates an error response from its parts.
  public init(status: Int? = nil, error: String?, errorDescription: String? = nil) {
    self.status = status
    self.error = error
    self.errorDescription = errorDescription
  }

  /// Reads the error response of an endpoint, without the secrets of its request and its session.
  init(_ response: TransferResponse) {
    let document = try? JSONValue(parsing: response.body)
    let description = (document?["error_description"] ?? document?["message"])?.string
    self.init(
      status: response.status, error: document?["error"]?.string.map { Escaped.text($0, limit: 80) },
      errorDescription: description)
    self = hiding(response.secrets)
    errorDescription = errorDescription.map { Escaped.text($0) }
  }

  /// Returns the error without secrets: the given ones, and those that their names or forms indicate.
  func hiding(_ secrets: [Secret]) -> ErrorResponse {
    var shown = self
    let known = KnownSecrets(inServerText: secrets.map(\.exposed))
    let long = KnownSecrets()
    for secret in secrets {
      known.add(token: secret)
      long.add(token: secret)
    }
    // A short secret could be a part of a code.
    shown.error = error.map { long.redacting($0) }
    shown.errorDescription = errorDescription.map { SecretText.redacted(known.redacting($0)) }
    return shown
  }

  /// The server's error code, or its status if it sent none. It is stored with a refusal and reported to programs.
  var code: String { error ?? status.map(String.init) ?? "no error code" }

  /// The error as a phrase.
  var words: String {
    let code = error ?? "no error code"
    let at = status.map { "\($0), " } ?? ""
    return errorDescription.map { "\(at)\(code): \($0)" } ?? "\(at)\(code)"
  }

  /// Explains that an endpoint has returned the error.
  func explanation(_ what: String, at place: String, hint: String) -> AuthError.Explanation {
    .init(
      what, why: "\(place) returned \(words)", hint: hint, serverError: error,
      serverErrorDescription: errorDescription)
  }

  /// Whether the error means that the grant itself (the code, the refresh token) is no longer valid.
  ///
  /// A 400 or 401 without an error code counts; the codes other than the RFC's `invalid_grant` are those that some
  /// servers send.
  var isInvalidGrant: Bool {
    guard let error else { return status == 400 || status == 401 }
    return ["invalid_grant", "invalid_token", "bad_refresh_token", "expired_token"].contains(error)
  }

  /// Whether the error means that the server does not know the client, or no longer; some servers state this only in
  /// the description.
  var isUnknownClient: Bool {
    if error == "invalid_client" || error == "unauthorized_client" { return true }
    return errorDescription?.lowercased().contains(bytes: "unknown client") == true
  }

  /// Whether the error means that the client itself was refused; a 403 without an error code counts.
  var isInvalidClient: Bool {
    guard let error else { return status == 403 }
    return error == "invalid_client" || error == "unauthorized_client"
  }
}
