/// A resource owner who can log in.
struct User: Sendable {
  /// The name, which is the subject too.
  let name: String
  /// The password.
  let password: String
}
