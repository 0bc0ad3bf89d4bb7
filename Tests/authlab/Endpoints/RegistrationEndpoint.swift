import Foundation

/// The registration of clients (RFC 7591, section 3) and its management (RFC 7592, section 2).
struct RegistrationEndpoint {
  /// What can be done, by the names that counters and faults have for it.
  enum Operation: String, CaseIterable {
    /// A client registers.
    case create
    /// It reads what it has registered.
    case read
    /// It ends its registration.
    case delete
  }

  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings

  /// Where clients register; the management of each is below it.
  static let path = "/register"

  /// What a request wants; nil where the method is none of the path's.
  static func operation(of request: Request) -> Operation? {
    switch (request.method, request.path == path) {
    case ("POST", true): .create
    case ("GET", false): .read
    case ("DELETE", false): .delete
    default: nil
    }
  }

  /// Answers, if clients can register at all.
  func answer(_ request: Request, body: String) async -> Response {
    let isCreation = request.path == Self.path
    guard settings.registration, isCreation || settings.registrationManagement else {
      return Response(404, json: ["error": "not_found"], outcome: "registration.404")
    }
    guard let operation = Self.operation(of: request) else {
      return Response(405, json: ["error": "invalid_request"], outcome: "registration.405")
        .adding("Allow", isCreation ? "POST" : "GET, DELETE")
    }
    let name = "registration.\(operation.rawValue)"
    guard operation != .create else { return await register(request, body: body, name: name) }
    let id = String(request.path.dropFirst(Self.path.count + 1))
    guard let token = Self.token(request), let registration = await state.registration(of: id, accessToken: token)
    else {
      // A client that is gone is answered like a wrong token (RFC 7592, section 2.1).
      return refusal("The registration access token is not valid.", name: name)
    }
    guard operation == .delete else { return information(200, registration, outcome: "\(name).ok") }
    await state.deleteRegistration(of: id)
    return Response(empty: 204, outcome: "\(name).ok").adding("Cache-Control", "no-store")
  }

  private func register(_ request: Request, body: String, name: String) async -> Response {
    guard settings.registrationToken.isEmpty || Self.token(request) == settings.registrationToken else {
      return refusal("An initial access token is needed.", name: name)
    }
    do throws(OAuthError) {
      guard request.headers["content-type"]?.hasPrefix("application/json") ?? false else {
        throw OAuthError("invalid_client_metadata", "The metadata is not application/json.")
      }
      let registration = try await state.register(try ClientMetadata(Data(body.utf8)))
      return information(201, registration, outcome: "\(name).ok")
    } catch {
      return Response(400, json: error.json, outcome: "\(name).\(error.code)").adding("Cache-Control", "no-store")
    }
  }

  /// The client information response (RFC 7591, section 3.2.1; RFC 7592, section 3).
  private func information(_ status: Int, _ registration: Registration, outcome: String) -> Response {
    var members = registration.members(clockOffset: settings.clockOffset)
    if settings.registrationManagement {
      let isElsewhere = settings.registrationFaults.contains(.otherOrigin)
      let origin = isElsewhere ? "https://registrar.example" : state.origin
      members += [
        ("registration_access_token", .string(registration.accessToken)),
        ("registration_client_uri", .string("\(origin)\(Self.path)/\(registration.client.id)")),
      ]
    }
    if settings.registrationFaults.contains(.noClientID) { members.removeAll { $0.name == "client_id" } }
    return Response(status, json: .object(members), outcome: outcome)
      .adding("Cache-Control", "no-store").adding("Pragma", "no-cache")
  }

  private func refusal(_ description: String, name: String) -> Response {
    BearerChallenge(form: .full, error: "invalid_token", description: description)
      .response(status: 401, outcome: "\(name).401")
  }

  private static func token(_ request: Request) -> String? {
    guard let parts = request.headers["authorization"]?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == "bearer"
    else { return nil }
    return String(parts[1])
  }
}
