import HTTPTypes

/// The reason why a request to an API returned no value; each case requires a different reaction.
public enum APIError: Error, Sendable, Equatable {
  /// The request could not be created: its URL is invalid.
  case unusableRequest(reason: String)
  /// No credentials are available, or they must not be sent to that origin. The explanation names the next step.
  case authentication(AuthError)
  /// The request could not be sent. If it failed before anything was sent, it can be retried safely; see
  /// ``mayHaveTakenEffect``.
  case transport(TransportError)
  /// The request was sent, but no complete response was received: it may have taken effect.
  case noResponse(TransportError)
  /// The API responded with an error.
  case server(ServerFailure)
  /// The API returned success without a body, but a value was expected.
  case noData(status: Int)
  /// The API returned success, but the body is not in the expected form.
  case undecodable(reason: String, status: Int)

  /// Whether the API may have executed the request despite the error.
  public var mayHaveTakenEffect: Bool {
    switch self {
    case .unusableRequest, .authentication: false
    case .transport(let error): error.mayHaveArrived
    case .server(let failure): failure.status >= 500
    case .noResponse, .noData, .undecodable: true
    }
  }

  /// Classifies a transport error by whether the request was sent.
  public init(_ error: TransportError) {
    switch error {
    case .timedOut, .broken: self = .noResponse(error)
    default: self = .transport(error)
    }
  }
}

extension APIError: CustomStringConvertible {
  /// The error as one line of text, without any secret.
  public var description: String {
    switch self {
    case .unusableRequest(let reason): "the request can't be sent: \(reason)"
    case .authentication(let error): "\(error.explanation.what): \(error.explanation.why)"
    case .transport(let error): "the request failed: \(error)"
    case .noResponse(let error): "no response: \(error)"
    case .server(let failure): "the API returned \(failure)"
    case .noData(let status): "the API returned \(status) with an empty body"
    case .undecodable(let reason, let status): "the API returned \(status), but not what was expected: \(reason)"
    }
  }
}
