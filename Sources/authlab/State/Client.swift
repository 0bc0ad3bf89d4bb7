/// A registered client (RFC 6749, section 2).
struct Client: Sendable {
  /// The client identifier.
  let id: String
  /// The client password; nil makes the client public.
  let secret: String?
}
