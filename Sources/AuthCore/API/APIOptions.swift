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
  public var redirects: RedirectPolicy = .follow(keepingMethod: false)
  /// The longest body that is taken, in bytes.
  public var longestBody = 16 << 20
  /// How often a request is sent at the most, whatever the retriers say.
  public var mostAttempts = 5

  /// Makes the standard options.
  public init() {}
}

/// Which redirects a request follows.
public enum RedirectPolicy: Sendable, Equatable {
  /// The redirect is the response.
  case response
  /// Up to 50 are followed; `keepingMethod` where the person has named the method, which then stays.
  ///
  /// A body is dropped as curl does it: by what it is. A form, which is any body but an upload, is dropped after 301,
  /// 302 and 303, also from a PUT that the person has named; an upload (`isUpload`) after 303 only.
  case follow(keepingMethod: Bool, isUpload: Bool = false)
}
