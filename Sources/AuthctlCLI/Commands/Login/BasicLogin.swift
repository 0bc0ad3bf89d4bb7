import AuthCore

/// A login to an API that accepts a user name and a password (RFC 7617). Sends nothing: the API checks each request.
struct BasicLogin: Sendable {
  private let input: SecretInput
  private let context: Context

  init(_ arguments: LoginArguments, _ context: Context) {
    input = SecretInput(arguments, context)
    self.context = context
  }

  /// Prompts for the password, or reads the credentials from standard input, and returns the pair to store.
  func pair(_ profile: Profile) throws -> TokenPair {
    TokenPair(try profile.flow == .token ? given(profile) : asked(profile), issuedAt: context.now())
  }

  private func asked(_ profile: Profile) throws -> BasicCredentials {
    let username = try input.username(of: profile)
    guard let credentials = BasicCredentials(username: username, password: try input.password(of: username, profile))
    else {
      throw AuthError.usage(
        "the user name or the password", why: "it contains a character that HTTP Basic does not allow",
        hint: "neither may have a control character, the name no colon")
    }
    return credentials
  }

  /// Reads the credentials from standard input: the text after `Basic` in the header (RFC 7617).
  private func given(_ profile: Profile) throws -> BasicCredentials {
    let text = try input.tokens().split(atAny: " \t\r\n").joined(separator: " ")
    guard let credentials = BasicCredentials(encoded: Secret(text)) else {
      throw AuthError.usage(
        "the credentials on standard input", why: "they are not the Base64 form of USER:PASSWORD",
        hint: "log in without --flow token, which asks for the password")
    }
    guard profile.username == credentials.username else {
      throw AuthError.usage(
        "the credentials on standard input", why: "they belong to a different user than the profile's username",
        hint: "give those of the profile's user, or log in to a profile of another name")
    }
    return credentials
  }
}
