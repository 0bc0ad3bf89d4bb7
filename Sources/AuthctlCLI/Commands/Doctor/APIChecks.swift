import AuthCore
import HTTPTypes

/// The checks of the API, by a request without a token to each of its origins, and one with the token.
struct APIChecks: Sendable {
  /// The profile's server, whose connection sends the requests.
  let server: AuthorizationServer

  /// The response of the API to a request without a token.
  struct Response: Sendable {
    /// The URL.
    let url: WebURL
    /// The status.
    let status: Int
    /// The challenges (RFC 9110, section 11.6.1).
    let challenges: [Challenge]
  }

  private var profile: Profile { server.profile }

  /// Sends a request to the first URL of each origin. Without a response, the checks of the connection report it.
  func responses() async -> [Response] {
    var urls: [WebURL] = []
    for url in profile.api where !urls.contains(where: { $0.origin == url.origin }) { urls.append(url) }
    return await withTaskGroup(of: (Int, Response?).self) { group in
      for (index, url) in urls.enumerated() {
        group.addTask {
          guard let response = try? await server.connection.header(of: url) else { return (index, nil) }
          let challenges = Challenge.all(in: response.fields)
          return (index, Response(url: url, status: response.status, challenges: challenges))
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.compactMap(\.1)
    }
  }

  /// Returns the results.
  ///
  /// - Parameter trial: the request with the token; nil if none was sent, or it has got no response.
  func findings(_ responses: [Response], _ trial: TokenTrial? = nil) -> [DoctorFinding] {
    let problem = trial?.problem
    let words = problem == nil ? trial?.words ?? "" : ""
    return [problem].compactMap(\.self) + responses.map { finding($0, $0.url == profile.api.first ? words : "") }
  }

  private func finding(_ response: Response, _ words: String) -> DoctorFinding {
    let schemes = response.challenges.map(\.scheme)
    let names = schemes.map { APIChecks.names[$0] ?? Escaped.text($0, limit: 40) }.joined(separator: ", ")
    if response.status >= 500 {
      return .warning(
        .api, "\(response.url) returned \(response.status)",
        hint: "ask the API's operator, or try again later: authctl doctor \(profile.name)")
    }
    guard response.status == 401 else {
      return .ok(.api, "\(response.url) responds (\(response.status) without a token)\(words)")
    }
    guard let expected, !schemes.isEmpty, !schemes.contains(expected) else {
      return .ok(.api, "\(response.url) asks for " + (names.isEmpty ? "a token" : names) + words)
    }
    return .warning(
      .api, "\(response.url) asks for \(names); this profile sends \(APIChecks.names[expected] ?? expected)",
      hint: expected == "bearer" && schemes.contains("dpop")
        ? "set dpop = true: authctl profile edit \(profile.name); then run: authctl login \(profile.name)"
        : "check api and type in the profile: authctl profile edit \(profile.name)")
  }

  /// The scheme of the requests to the API, in lower case; nil if the profile states a header field of its own.
  private var expected: String? {
    if profile.type == .basic { return "basic" }
    guard !profile.isHeaderStated, profile.type == .oauth2 else { return nil }
    return profile.dpop ? "dpop" : "bearer"
  }

  private static let names = ["bearer": "Bearer", "dpop": "DPoP", "basic": "Basic"]
}
