import Foundation

/// Finds out which client sent a request (RFC 6749, section 2.3).
struct ClientAuthenticator {
  /// The clients by their identifier.
  let clients: [String: Client]
  /// How HTTP Basic is decoded.
  let encoding: BasicEncoding

  /// The client that the request proves to come from; a public one only names itself.
  /// - Throws: `OAuthError` with `invalid_client`, or `invalid_request` for two methods at once.
  func client(of request: Request, form: FormFields) throws(OAuthError) -> Client {
    if let header = request.headers["authorization"] {
      guard form["client_secret"] == nil else {
        throw OAuthError("invalid_request", "More than one method of client authentication was used.")
      }
      return try basic(header)
    }
    guard let id = form["client_id"], let client = clients[id], client.secret == form["client_secret"],
      client.key == nil, !client.signsWithSecret,
      client.authenticates(by: client.secret == nil ? "none" : "client_secret_post")
    else {
      throw OAuthError("invalid_client", "The client is not known or did not authenticate.")
    }
    return client
  }

  private func basic(_ header: String) throws(OAuthError) -> Client {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1])),
      let colon = data.firstIndex(of: UInt8(ascii: ":"))
    else { throw OAuthError("invalid_client", "The Authorization header is not HTTP Basic.") }
    let id = String(decoding: data[..<colon], as: UTF8.self)
    let secret = String(decoding: data[(colon + 1)...], as: UTF8.self)
    for decode in decoders {
      if let client = clients[decode(id)], let expected = client.secret, expected == decode(secret),
        !client.signsWithSecret, client.authenticates(by: "client_secret_basic")
      {
        return client
      }
    }
    throw OAuthError("invalid_client", "The client is not known or its secret is wrong.")
  }

  private var decoders: [(String) -> String] {
    let form: (String) -> String = { FormFields.decode($0) }
    let percent: (String) -> String = { $0.removingPercentEncoding ?? $0 }
    let raw: (String) -> String = { $0 }
    return switch encoding {
    case .any: [form, percent, raw]
    case .form: [form]
    case .percent: [percent]
    case .raw: [raw]
    }
  }
}
