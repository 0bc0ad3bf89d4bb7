/// The value of an answer of which only the success counts: 204, an empty body, or a body that nobody wants.
public struct EmptyResponse: Sendable, Equatable, Decodable {
  /// Makes the one value there is.
  public init() {}

  /// Reads nothing.
  public init(from decoder: any Decoder) {}
}
