/// Why a login on another device has brought no tokens.
///
/// Not within ``DevicePolling``: Swift 6.3 can't optimize a function that throws an error type of a generic type.
enum DeviceFailure: Error {
  /// The person said no.
  case denied(ErrorResponse)
  /// Nobody has approved in time; the reason is that of the last poll that failed for another cause than waiting.
  case expired(lastFailure: TokenEndpoint.Unavailability?)
  /// The server refuses for another reason.
  case refused(TokenEndpoint.Failure)
  /// The login was given up.
  case cancelled
}
