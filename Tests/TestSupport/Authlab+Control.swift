import Foundation

/// The control interface.
extension Authlab {
  /// How often each thing happened, such as `token.refresh_token.ok`; what never happened is absent.
  /// - Throws: As `send`.
  public func counters() throws -> [String: Int] {
    try JSONDecoder().decode([String: Int].self, from: send("GET", "/control/counters").body)
  }

  /// How often one thing happened.
  /// - Throws: As `send`.
  public func count(_ name: String) throws -> Int {
    try counters()[name] ?? 0
  }

  /// The last `count` requests, the oldest first.
  /// - Throws: As `send`.
  public func lastRequests(_ count: Int = 100) throws -> [RecordedRequest] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode([RecordedRequest].self, from: send("GET", "/control/last?n=\(count)").body)
  }

  /// Lets requests fail: `{"endpoint":"token","kind":"drop","count":1}`.
  /// - Throws: `AuthlabError.refused` when the fault is not understood.
  public func fail(_ fault: String) throws {
    try order("POST", "/control/fault", fault)
  }

  /// Forgets the faults that wait, and sends what they delay.
  /// - Throws: As `send`.
  public func clearFaults() throws {
    try order("DELETE", "/control/fault")
  }

  /// Changes settings: `{"reuse":"one-use"}`.
  /// - Throws: `AuthlabError.refused` when they are not understood.
  public func change(_ settings: String) throws {
    try order("POST", "/control/settings", settings)
  }

  /// Ends the life of all access tokens that were issued until now.
  /// - Throws: As `send`.
  public func expireAccessTokens() throws {
    try order("POST", "/control/expire")
  }

  /// Decides about all device codes that wait: `{"decision":"allow"}`, or `deny`.
  /// - Throws: `AuthlabError.refused` when the decision is not understood.
  public func decideDevices(_ decision: String) throws {
    try order("POST", "/control/device", decision)
  }

  /// Revokes everything that was issued until now.
  /// - Throws: As `send`.
  public func revokeAll() throws {
    try order("POST", "/control/revoke-all")
  }

  /// Forgets the clients that have registered, as if the server had lost them.
  /// - Throws: As `send`.
  public func forgetClients() throws {
    try order("POST", "/control/forget-clients")
  }

  /// Puts a client's document where its `client_id` says that it is (OAuth Client ID Metadata Document).
  /// - Throws: `AuthlabError.refused` when the document can't be used.
  public func publish(clientDocument: String) throws {
    try order("POST", "/control/client-document", clientDocument)
  }

  /// Forgets counters, requests and faults; with `everything` tokens and changed settings as well.
  /// - Throws: As `send`.
  public func reset(everything: Bool = false) throws {
    try order("POST", everything ? "/control/reset?all=1" : "/control/reset")
  }

  private func order(_ method: String, _ path: String, _ body: String = "") throws {
    let response = try send(method, path, body: Data(body.utf8))
    guard response.status == 200 else { throw AuthlabError.refused(response.text) }
  }
}
