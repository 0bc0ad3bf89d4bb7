/// An error as an authorization server answers it (RFC 6749, sections 4.1.2.1 and 5.2), in whatever shape it came.
public struct ErrorResponse: Sendable, Equatable {
  /// The HTTP status; nil where it came by a redirect.
  public var status: Int?
  /// `error`; nil where the response has none that can be understood.
  public var error: String?
  /// `error_description`, made safe to show.
  public var errorDescription: String?

  /// Makes an error response of its parts.
  public init(status: Int? = nil, error: String?, errorDescription: String? = nil) {
    self.status = status
    self.error = error
    self.errorDescription = errorDescription
  }

  /// Reads what a token or revocation endpoint answered instead of a success.
  init(_ response: TransferResponse) {
    status = response.status
    let document = try? JSONValue(parsing: response.body)
    error = document?["error"]?.string.map { Escaped.text($0, limit: 80) }
    errorDescription = (document?["error_description"] ?? document?["message"])?.string.map { Escaped.text($0) }
  }

  /// The server's code, or its status if it sent none: what is remembered of a refusal, and given to programs.
  var code: String { error ?? status.map(String.init) ?? "no error code" }

  /// The error in words.
  var words: String {
    let code = error ?? "no error code"
    let at = status.map { "\($0), " } ?? ""
    return errorDescription.map { "\(at)\(code): \($0)" } ?? "\(at)\(code)"
  }

  /// Whether it says that the grant itself (the code, the refresh token) is dead.
  ///
  /// A 400 or 401 without an understandable body is read so; the other codes are those that servers answer beyond the
  /// RFC's `invalid_grant`.
  var isInvalidGrant: Bool {
    guard let error else { return status == 400 || status == 401 }
    return ["invalid_grant", "invalid_token", "bad_refresh_token", "expired_token"].contains(error)
  }

  /// Whether it says that the client itself was refused; 403 with an empty body is read so.
  var isInvalidClient: Bool {
    guard let error else { return status == 403 }
    return error == "invalid_client" || error == "unauthorized_client"
  }
}
