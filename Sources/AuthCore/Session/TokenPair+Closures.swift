public import FoundationEssentials

extension TokenPair {
  /// A pair made of what a server answered to a login.
  ///
  /// - Parameter sentAt: when the request left; lifetimes count from there.
  public init(_ response: TokenResponse, sentAt: Date) {
    self.init(response, sentAt: sentAt, serverDate: nil, lifetime: nil, server: nil)
  }

  /// This pair after a renewal: what the answer does not say stays as it was.
  ///
  /// - Parameter sentAt: when the request left; lifetimes count from there.
  public func renewed(by response: TokenResponse, sentAt: Date) -> TokenPair {
    renewed(by: response, sentAt: sentAt, serverDate: nil, lifetime: nil)
  }
}
