/// The form of the `WWW-Authenticate` header of the API (RFC 6750, section 3, and what is seen in the field).
enum ChallengeForm: String, Codable, Sendable {
  /// As RFC 6750 writes it.
  case full
  /// The scheme in lower case.
  case lowercase
  /// No space after the commas between parameters.
  case noSpace = "no-space"
  /// No header at all.
  case absent
}
