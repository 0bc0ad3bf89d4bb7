import AuthCore

/// How the connections of a call are made: as the profile says, changed by the command line.
struct CallNetwork: Sendable {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// The options for requests with the token of a profile.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where an option's value is unusable.
  func options(of profile: Profile?) throws(AuthError) -> NetworkOptions {
    var network = profile?.network ?? NetworkOptions()
    network.timeout = try invocation.duration(CallOptions.maxTime) ?? network.timeout
    // As in curl, zero means no limit.
    if network.timeout == .zero { network.timeout = nil }
    network.connectTimeout = try invocation.duration(CallOptions.connectTimeout) ?? network.connectTimeout
    return network
  }
}
