/// What a ``RequestRetrier`` says of a request.
public enum RetryDecision: Sendable, Equatable {
  /// What came is the outcome, as far as this retrier is concerned.
  case accept
  /// The request is sent again, after a pause.
  case sendAgain(after: Duration = .zero)
}
