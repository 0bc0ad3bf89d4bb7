/// How far a transfer has got; the sizes are those on the wire, in bytes.
public struct TransferProgress: Sendable, Equatable {
  /// How much of the answer's body has come.
  public var received: Int64
  /// How much of it will come; nil where that is not known.
  public var toReceive: Int64?
  /// How much of the request's body has been sent.
  public var sent: Int64
  /// How much of it will be sent; nil where that is not known.
  public var toSend: Int64?

  /// Makes one; nothing has happened unless given.
  public init(received: Int64 = 0, toReceive: Int64? = nil, sent: Int64 = 0, toSend: Int64? = nil) {
    self.received = received
    self.toReceive = toReceive
    self.sent = sent
    self.toSend = toSend
  }
}
