/// Adapts each request to an API before it is sent, and decides whether it is retried.
///
/// Each half can be used alone; ``InterceptorChain`` combines several of them.
public protocol Interceptor: RequestAdapter, RequestRetrier {}

/// One half of an ``Interceptor``: adds something to a request before it is sent, such as a token.
public protocol RequestAdapter: Sendable {
  /// Returns the request to send.
  ///
  /// It is called before each attempt, each time with the original request of the program.
  ///
  /// - Throws: an error that ends the request before it is sent; ``AuthError`` becomes ``APIError/authentication(_:)``,
  ///   any other error reaches the caller unchanged.
  func adapt(_ request: APIRequest) async throws -> APIRequest
}

/// One half of an ``Interceptor``: decides after a response or a failure whether the request is retried.
public protocol RequestRetrier: Sendable {
  /// Decides on the next step after an attempt, and prepares the next attempt, for example by a refresh.
  ///
  /// It is called after each attempt, even if the attempt succeeded.
  ///
  /// - Throws: an error that ends the request; ``AuthError`` becomes ``APIError/authentication(_:)``, any other error
  ///   reaches the caller unchanged.
  func decide(after attempt: Attempt) async throws -> RetryDecision
}

/// The decision of a ``RequestRetrier`` about a request.
public enum RetryDecision: Sendable, Equatable {
  /// This retrier accepts the outcome.
  case accept
  /// The request is sent again, after a pause.
  case sendAgain(after: Duration = .zero)
}

/// One attempt to send a request, and its outcome.
public struct Attempt: Sendable {
  /// The request as sent, with the changes by adapters.
  public let request: APIRequest
  /// The outcome of the attempt.
  public let outcome: TransferOutcome
  /// The outcomes of the earlier attempts, in order.
  public let earlier: [TransferOutcome]

  /// Creates an attempt.
  public init(_ request: APIRequest, outcome: TransferOutcome, earlier: [TransferOutcome] = []) {
    self.request = request
    self.outcome = outcome
    self.earlier = earlier
  }
}

/// Combines any number of adapters and retriers.
///
/// The adapters run in order. The retriers decide in order; the first one that requests a retry determines the
/// decision.
public struct InterceptorChain: Interceptor {
  private let adapters: [any RequestAdapter]
  private let retriers: [any RequestRetrier]

  /// Creates a chain from adapters and retriers.
  public init(adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = []) {
    self.adapters = adapters
    self.retriers = retriers
  }

  /// Creates a chain from interceptors.
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
