import Foundation

/// The interface for tests and for the demo, without any authentication.
struct ControlEndpoint {
  /// What the server remembers.
  let state: LabState

  private static let longestBody = 1 << 20
  private static let outcome = "control"

  /// Carries out one order.
  /// - Throws: `RequestBody.TooLong` or `Errno` when the body can't be read.
  func answer(_ request: Request, body: RequestBody) async throws -> Response {
    let bytes = Data(try await body.collect(limit: Self.longestBody))
    do {
      return try await carryOut(request, body: bytes)
    } catch let error as SettingsError {
      return Response(400, json: ["error": .string(error.reason)], outcome: Self.outcome)
    } catch let error as CocoaError {
      return Response(400, json: ["error": "The body is not JSON: \(error)"], outcome: Self.outcome)
    }
  }

  private func carryOut(_ request: Request, body: Data) async throws -> Response {
    switch (request.method, request.path) {
    case ("GET", "/control/counters"):
      let members = await state.counters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
      return ok(.object(members.map { ($0.name, .integer($0.value)) }))
    case ("GET", "/control/last"):
      let count = Int(request.query["n"] ?? "") ?? 100
      return ok(.array(await state.records.last(count).map(\.json)))
    case ("GET", "/control/secrets"):
      return ok(.array(await state.issuedSecrets.map { .string($0) }))
    case ("GET", "/control/settings"):
      return Response(200, text: try await state.settings.encoded(), type: "application/json", outcome: Self.outcome)
    case ("POST", "/control/settings"):
      try await state.change(body)
    case ("POST", "/control/reset"):
      await state.reset(everything: request.query["all"] != nil)
    case ("POST", "/control/expire"):
      await state.expireAccessTokens()
    case ("POST", "/control/rotate-keys"):
      await state.rotateKeys()
    case ("POST", "/control/new-nonce"):
      await state.renewNonce()
    case ("POST", "/control/revoke-all"):
      await state.revokeAll()
    case ("POST", "/control/device"):
      try await state.decideDevices(body)
    case ("POST", "/control/forget-clients"):
      await state.forgetClients()
    case ("POST", "/control/client-document"):
      try await state.publish(body)
    case ("POST", "/control/fault"):
      await state.add(try Fault(json: body))
    case ("DELETE", "/control/fault"):
      await state.clearFaults()
    default:
      return Response(404, json: ["error": "There is no such order."], outcome: Self.outcome)
    }
    return ok(["ok": true])
  }

  private func ok(_ json: JSONValue) -> Response {
    Response(json: json, outcome: Self.outcome)
  }
}
