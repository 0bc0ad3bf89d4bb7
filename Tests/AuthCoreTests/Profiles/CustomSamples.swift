import TestSupport
import Testing

@testable import AuthCore

/// The server of profile.md, with what `more` says instead of or beyond it.
func customProfile(_ more: String = "", response: String = "", top: String = "") throws -> Profile {
  try Profile(
    toml: """
      type = "custom"
      base = "https://id.example/v1"
      api = ["https://api.example"]
      \(top)
      [requests.login]
      url = "/auth/login"
      json = { username = "{username}", password = "{password}" }
      [requests.refresh]
      url = "/auth/refresh"
      json = { refreshToken = "{refresh_token}" }
      [requests.revoke]
      url = "/auth/logout"
      json = { refreshToken = "{refresh_token}" }
      \(more)
      [response]
      access_token = ["/accessToken", "/data/accessToken", "/token/accessToken"]
      refresh_token = ["/refreshToken", "/data/refreshToken", "/token/refreshToken"]
      expires_in = ["/accessTokenExpiresIn", "/expiresIn"]
      refresh_expires_in = "/refreshTokenExpiresIn"
      success = "/success"
      error_code = ["/errorCode", "/code"]
      error_message = "/message"
      \(response.isEmpty ? "login_required_codes = [\"REFRESH_TOKEN_EXPIRED\"]" : response)
      """, file: "work.toml", name: #require(ProfileName("work")))
}

/// A request that stands alone in a profile.
func customRequest(_ text: String) throws -> CustomRequest {
  let profile = try customProfile("[requests.other]\n" + text)
  return try #require(profile.custom?.requests["other"])
}

/// Values of texts.
func requestValues(_ texts: [String: String]) -> RequestValues {
  var values = RequestValues()
  for (name, text) in texts { values[name] = .text(Secret(text)) }
  return values
}

/// A pair that the server of the sample profile has issued.
func customPair(refresh: String? = "R1", life: Double? = 3600) -> TokenPair {
  var pair = samplePair(refresh: refresh, life: life)
  pair.server = .init(issuer: nil, clientID: "", tokenEndpoint: "https://id.example/", revocationEndpoint: nil)
  return pair
}
