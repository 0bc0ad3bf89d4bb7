import HTTPTypes

/// Why a request to an API has no value to give; the cases differ in what the caller does next.
public enum APIError: Error, Sendable, Equatable {
  /// The request could not be made: its URL is unusable.
  case unusableRequest(reason: String)
  /// No credentials are available, or they must not be sent there. The explanation says what to do.
  case authentication(AuthError)
  /// The request could not be carried. Where it failed before it left, it can be repeated without harm; see
  /// ``mayHaveTakenEffect``.
  case transport(TransportError)
  /// The request has left, but no whole response came: it may have taken effect.
  case noResponse(TransportError)
  /// The API responded with an error.
  case server(ServerFailure)
  /// The API responded with success but without a body, and a value was expected.
  case noData(status: Int)
  /// The API responded with success, but the body is not what was expected.
  case undecodable(reason: String, status: Int)

  /// Whether the API may have done what it was asked for all the same.
  public var mayHaveTakenEffect: Bool {
    switch self {
    case .unusableRequest, .authentication: false
    case .transport(let error): error.mayHaveArrived
    case .server(let failure): failure.status >= 500
    case .noResponse, .noData, .undecodable: true
    }
  }

  /// Sorts out why no response came.
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
