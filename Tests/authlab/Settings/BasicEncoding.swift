/// The encodings of client identifier and secret that HTTP Basic is decoded with (RFC 6749, section 2.3.1).
enum BasicEncoding: String, Codable, Sendable {
  /// Any of the following.
  case any
  /// Form encoding, as the RFC says: a space is `+`.
  case form
  /// Percent-encoding: a space is `%20`, a `+` stands for itself.
  case percent
  /// No encoding.
  case raw
}
