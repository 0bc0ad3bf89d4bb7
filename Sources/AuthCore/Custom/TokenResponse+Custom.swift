extension TokenResponse {
  /// Reads the tokens of a document in which a profile says where they are.
  ///
  /// - Throws: ``Malformed`` where there is no usable access token.
  init(_ document: JSONValue, at pointers: ResponsePointers) throws(Malformed) {
    func value(_ pointers: [JSONPointer]) -> JSONValue? { ResponsePointers.first(pointers, in: document) }
    guard let accessToken = try TokenResponse.token("the access token", value(pointers.accessToken)) else {
      throw Malformed(reason: "the answer has no access token where [response] says")
    }
    self.init(
      accessToken: accessToken,
      refreshToken: try TokenResponse.token("the refresh token", value(pointers.refreshToken)),
      expiresIn: TokenResponse.seconds(value(pointers.expiresIn)),
      refreshExpiresIn: TokenResponse.seconds(value(pointers.refreshExpiresIn)))
  }
}
