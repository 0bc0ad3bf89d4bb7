import AuthCore
import FoundationEssentials

/// A token as `inspect` explains it.
struct InspectedToken: Sendable {
  /// The purpose of the token.
  let kind: TokenKind
  /// The parts that can be read, without secrets; of a refresh token only its form.
  let format: DecodedToken.Format
  /// The header; nil if there is none to show.
  var header: JSONValue?
  /// The claims; nil if there are none to show.
  var claims: JSONValue?
  /// The length in characters, and the fingerprint; nil for the stored claims of an ID token.
  var identity: String?
  /// The result of checking the signature.
  let signature: SignatureCheck
  /// What differs from the profile, the session and the server.
  var findings: [ClaimFinding]
  /// Seconds until it expires; nil if unknown.
  let expiresIn: Double?

  /// The name in text.
  var name: String { kind == .id ? "ID token" : "\(kind.rawValue) token" }

  /// The token as JSON with stable keys; unknown values are null.
  var json: JSONValue {
    let shown = findings.map { JSONValue.object(["claim": .string($0.claim), "message": .string($0.message)]) }
    return .object([
      "kind": .string(kind.rawValue), "format": .string(format.rawValue), "header": header ?? .null,
      "claims": claims ?? .null,
      "signature": .object([
        "state": .string(signature.state.rawValue), "reason": signature.reason.map { .string($0) } ?? .null,
      ]),
      "findings": .array(shown),
      "expires_in": expiresIn.map { .integer(DurationText.wholeSeconds($0)) } ?? .null,
    ])
  }
}

/// What an endpoint of the server says about a token.
enum ServerStatement: Sendable {
  /// The claims in its response, without secrets.
  case claims(JSONValue)
  /// There is no response with claims; the reason, and how to fix it.
  case failure(why: String, hint: String)

  /// The claims; nil if there are none.
  var claims: JSONValue? {
    if case .claims(let claims) = self { claims } else { nil }
  }

  /// The claims, or an object with the member `error`.
  var json: JSONValue {
    switch self {
    case .claims(let claims): claims
    case .failure(let why, _): .object(["error": .string(why)])
    }
  }
}

/// The result of `inspect`.
struct InspectReport: Sendable {
  /// The profile with which the tokens were compared; nil if there is none.
  let profile: ProfileName?
  /// The current time, by the server's clock if it is known.
  let time: Date
  /// The tokens, the access token first.
  var tokens: [InspectedToken]
  /// The response of the introspection endpoint; nil if it was not asked.
  var introspection: ServerStatement?
  /// The response of the user info endpoint; nil if it was not asked.
  var userinfo: ServerStatement?
  /// The claims that differ between a token and a statement of the server; each is a finding of the token, too.
  var serverDifferences: Set<String> = []

  /// The report as JSON with stable keys.
  ///
  /// - Parameter explains: whether the explanations of the registered names are included.
  func json(explains: Bool) -> JSONValue {
    var members: [String: JSONValue] = [
      "profile": profile.map { .string($0.string) } ?? .null, "tokens": .array(tokens.map(\.json)),
      "introspection": introspection?.json ?? .null, "userinfo": userinfo?.json ?? .null,
    ]
    if explains { members["explanations"] = .object(explanations) }
    return .object(members)
  }

  private var explanations: [String: JSONValue] {
    var all: [String: JSONValue] = [:]
    for (values, list) in [
      (tokens.map(\.claims) + [introspection?.claims, userinfo?.claims], ClaimExplanation.claims),
      (tokens.map(\.header), ClaimExplanation.header),
    ] {
      for name in values.flatMap({ $0?.names ?? [] }) {
        all[name] = ClaimExplanation.text(of: name, in: list).map { .string($0) } ?? all[name]
      }
    }
    return all
  }
}

extension JSONValue {
  /// The names of an object's members; empty if this is not an object.
  var names: [String] {
    if case .object(let members) = self { Array(members.keys) } else { [] }
  }

  /// The value for a person: texts without quotation marks, lists of texts with commas, everything else as JSON.
  var readable: String {
    // A value that was parsed from JSON can be written as JSON.
    Escaped.line(strings?.joined(separator: ", ") ?? (try? text()) ?? "")
  }
}
