/// Stands between a program and its API: puts on each request what it needs, and decides whether it is sent again.
///
/// Both halves can be used alone, and be combined with those of others by ``InterceptorChain``.
public protocol Interceptor: RequestAdapter, RequestRetrier {}

/// One half of an ``Interceptor``: puts something on a request before it is sent, such as a token.
public protocol RequestAdapter: Sendable {
  /// Gives the request as it is to be sent.
  ///
  /// It is asked before each attempt, each time with the request as the program made it.
  ///
  /// - Throws: what ends the request before it is sent; ``AuthError`` becomes ``APIError/authentication(_:)``, anything
  ///   else reaches the caller as it is.
  func adapt(_ request: APIRequest) async throws -> APIRequest
}

/// One half of an ``Interceptor``: decides after a response, or after a failure, whether the request is sent again.
public protocol RequestRetrier: Sendable {
  /// Decides what follows from an attempt; whatever must happen before the next one, such as a renewal, happens here.
  ///
  /// It is asked after each attempt, also after one that succeeded.
  ///
  /// - Throws: what ends the request; ``AuthError`` becomes ``APIError/authentication(_:)``, anything else reaches the
  ///   caller as it is.
  func decide(after attempt: Attempt) async throws -> RetryDecision
}

/// What a ``RequestRetrier`` says of a request.
public enum RetryDecision: Sendable, Equatable {
  /// What came is the outcome, as far as this retrier is concerned.
  case accept
  /// The request is sent again, after a pause.
  case sendAgain(after: Duration = .zero)
}

/// One sending of a request, and what came of it.
public struct Attempt: Sendable {
  /// The request as it was sent, with all that adapters have put on it.
  public let request: APIRequest
  /// What came of it.
  public let outcome: TransferOutcome
  /// What came of the attempts before this one, the first of them first.
  public let earlier: [TransferOutcome]

  /// Describes an attempt.
  public init(_ request: APIRequest, outcome: TransferOutcome, earlier: [TransferOutcome] = []) {
    self.request = request
    self.outcome = outcome
    self.earlier = earlier
  }
}

/// Combines any number of adapters and retriers.
///
/// The adapters work one after the other. The retriers are asked in turn, and the first that wants the request sent
/// again is heard.
public struct InterceptorChain: Interceptor {
  private let adapters: [any RequestAdapter]
  private let retriers: [any RequestRetrier]

  /// Combines halves.
  public init(adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = []) {
    self.adapters = adapters
    self.retriers = retriers
  }

  /// Combines whole interceptors.
  public init(_ interceptors: [any Interceptor]) {
    self.init(adapters: interceptors, retriers: interceptors)
  }

  public func adapt(_ request: APIRequest) async throws -> APIRequest {
    var request = request
    for adapter in adapters { request = try await adapter.adapt(request) }
    return request
  }

  public func decide(after attempt: Attempt) async throws -> RetryDecision {
    for retrier in retriers {
      let decision = try await retrier.decide(after: attempt)
      if decision != .accept { return decision }
    }
    return .accept
  }
}
