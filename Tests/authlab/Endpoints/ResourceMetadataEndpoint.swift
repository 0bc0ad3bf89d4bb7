import Foundation

/// The metadata of the API (RFC 9728, section 2).
struct ResourceMetadataEndpoint {
  /// Scheme, host and port.
  let origin: String
  /// The settings in force.
  let settings: Settings

  /// The well-known part, after which the path of the API's identifier comes (section 3.1).
  static let wellKnown = "/.well-known/oauth-protected-resource"
  /// Another place, to which a challenge may point (section 5.1).
  static let ownPlace = "/resource-metadata"

  /// Answers with the document, where it is.
  func answer(_ request: Request) -> Response {
    let isThere = request.path == Self.ownPlace || request.path == Self.wellKnown + settings.resourcePath
    guard settings.resourceMetadata, isThere else {
      return Response(404, json: ["error": "not_found"], outcome: "resource_metadata.404")
    }
    return Response(200, text: document, type: "application/json", outcome: "resource_metadata.ok")
  }

  private var document: String {
    var members: [String: Any] = [
      "resource": origin + settings.resourcePath, "authorization_servers": [origin + settings.issuerPath],
      "scopes_supported": settings.scopes, "bearer_methods_supported": ["header"], "resource_name": "authlab",
    ]
    let changes = try? JSONSerialization.jsonObject(with: Data(settings.resourceMembers.utf8)) as? [String: Any]
    for (name, value) in changes ?? [:] { members[name] = value is NSNull ? nil : value }
    let data = try? JSONSerialization.data(withJSONObject: members, options: [.withoutEscapingSlashes, .sortedKeys])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
