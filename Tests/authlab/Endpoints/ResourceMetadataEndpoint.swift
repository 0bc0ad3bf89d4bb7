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
    guard settings.resourceMetadata, places.contains(request.path) else {
      return Response(404, json: ["error": "not_found"], outcome: "resource_metadata.404")
    }
    return Response(200, text: document, type: "application/json", outcome: "resource_metadata.ok")
  }

  private var places: [String] {
    let (path, root) = (Self.wellKnown + settings.resourcePath, Self.wellKnown)
    return switch settings.resourceMetadataAt {
    case .path: [Self.ownPlace, path]
    case .root: [Self.ownPlace, root]
    case .both: [Self.ownPlace, path, root]
    case .neither: [Self.ownPlace]
    }
  }

  private var document: String {
    let more = (0..<max(0, settings.moreAuthorizationServers)).map { JSONValue.string("https://id-\($0).example") }
    let members: JSONValue = [
      "resource": .string(origin + settings.resourcePath),
      "authorization_servers": .array([.string(origin + settings.issuerPath)] + more),
      "scopes_supported": .array(settings.scopes.map { .string($0) }), "bearer_methods_supported": ["header"],
      "resource_name": "authlab",
    ]
    return members.text(changedBy: settings.resourceMembers)
  }
}
