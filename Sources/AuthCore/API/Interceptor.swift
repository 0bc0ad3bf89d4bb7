/// Stands between a program and its API: puts on each request what it needs, and decides whether it is sent again.
///
/// Both halves can be used alone, and be combined with those of others by ``InterceptorChain``.
public protocol Interceptor: RequestAdapter, RequestRetrier {}
