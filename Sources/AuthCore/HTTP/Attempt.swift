/// One sending of a request, and what came of it.
public struct Attempt: Sendable {
  /// The request as it was sent, with all that adapters have put on it.
  public let request: APIRequest
  /// What came of it.
  public let outcome: Outcome
  /// What came of the attempts before this one, the first of them first.
  public let earlier: [Outcome]

  /// What comes of sending a request.
  public enum Outcome: Sendable {
    /// An answer of whatever status.
    case answer(HTTPAnswer)
    /// No answer.
    case failure(TransportError)

    /// The status of the answer; nil where there is none.
    public var status: Int? {
      if case .answer(let answer) = self { answer.status } else { nil }
    }
  }

  /// Describes an attempt.
  public init(_ request: APIRequest, outcome: Outcome, earlier: [Outcome] = []) {
    self.request = request
    self.outcome = outcome
    self.earlier = earlier
  }
}
