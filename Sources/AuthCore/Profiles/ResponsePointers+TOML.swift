extension ResponsePointers {
  /// Reads the table `[response]`.
  ///
  /// - Throws: ``AuthError/usage(_:)`` with the place in the file.
  init(_ table: ProfileTable) throws(AuthError) {
    accessToken = try table.pointers("access_token")
    refreshToken = try table.pointers("refresh_token")
    expiresIn = try table.pointers("expires_in")
    refreshExpiresIn = try table.pointers("refresh_expires_in")
    success = try table.pointers("success")
    errorCode = try table.pointers("error_code")
    errorMessage = try table.pointers("error_message")
    subject = try table.pointers("subject")
    loginRequiredCodes = Set(try table.strings("login_required_codes") ?? [])
    refreshOnCodes = Set(try table.strings("refresh_on_codes") ?? [])
    guard !accessToken.isEmpty else {
      throw table.error(
        "access_token", "'access_token' is missing in [response]",
        hint: "set where the responses have it, such as access_token = \"/accessToken\"")
    }
    for (key, codes) in [("login_required_codes", loginRequiredCodes), ("refresh_on_codes", refreshOnCodes)] {
      guard codes.isEmpty || !errorCode.isEmpty else {
        throw table.error(key, "'\(key)' needs 'error_code'", hint: "set where the codes are: error_code = \"/code\"")
      }
    }
    try table.refuseTheRest()
  }
}

extension ProfileTable {
  /// One JSON Pointer, or several of which the first that finds something counts.
  fileprivate func pointers(_ key: String) throws(AuthError) -> [JSONPointer] {
    var pointers: [JSONPointer] = []
    for text in try strings(key) ?? [] {
      guard let pointer = JSONPointer(text) else {
        throw error(
          key, "'\(key)' is not a JSON Pointer (RFC 6901): \(Escaped.text(text, limit: 80))",
          hint: "use \"/data/accessToken\"; ~0 is a tilde and ~1 a slash in a name")
      }
      pointers.append(pointer)
    }
    return pointers
  }
}
