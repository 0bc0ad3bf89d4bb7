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
