/// What comes of sending a request.
public enum TransferOutcome: Sendable {
  /// A response of whatever status.
  case response(TransferResponse)
  /// No response.
  case failure(TransportError)

  /// The status of the response; nil where there is none.
  public var status: Int? {
    if case .response(let response) = self { response.status } else { nil }
  }
}
