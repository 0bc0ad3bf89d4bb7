import FoundationEssentials
public import HTTPTypes

/// How an ``APIClient`` sends and reads.
public struct APIOptions: Sendable {
  /// Makes the program's own error of one of ours; what it returns is thrown.
  public typealias ErrorMapping = @Sendable (APIError) -> any Error

  /// Decodes bodies.
  public var decoder: any ResponseDecoder = JSONDecoder()
  /// Makes the program's own errors; ours unless given.
  public var errorMapping: ErrorMapping = { $0 }
  /// Where credentials may go besides the origin of the base.
  public var furtherOrigins: Set<Origin> = []
  /// Header fields of every request that does not have them itself.
  public var fields: HTTPFields = [:]
  /// Proxy, certificates, time limits.
  public var network = NetworkOptions(timeout: .seconds(60))
  /// What is followed of a redirect.
  public var redirects: AuthorizedSender.Redirects = .follow(keepingMethod: false)
  /// The longest body that is taken, in bytes.
  public var longestBody = 16 << 20
  /// How often a request is sent at the most, whatever the retriers say.
  public var mostAttempts = 5

  /// Makes the standard options.
  public init() {}
}
