import Foundation

/// A fault that waits for its request.
struct Fault: Codable, Sendable {
  /// The endpoint that fails, a name of `Endpoint`; `discovery` and `token` cover their parts, `*` covers all.
  let endpoint: String
  /// How it fails.
  let kind: FaultKind
  /// The status of the answer, where the kind has one.
  var status: Int?
  /// The time of `delay` and `retry_after`.
  var milliseconds: Int?
  /// The length of what `pad` adds.
  var bytes: Int?
  /// How many requests fail yet; without end when absent.
  var count: Int?
  /// The body of the answer, where the kind has one.
  var body: String?
  /// The content type of that body.
  var contentType: String?
  /// The target of `redirect`.
  var location: String?
  /// Whether the request takes effect first, so that only its answer is lost.
  var after: Bool?

  /// Reads a fault from the JSON of the control interface.
  /// - Throws: `SettingsError` that says what can't be used.
  init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      self = try decoder.decode(Fault.self, from: json)
    } catch {
      throw SettingsError(reason: "The fault can't be used: \(error)")
    }
    guard endpoint == "*" || Endpoint.names.contains(endpoint) else {
      throw SettingsError(reason: "There is no endpoint \(endpoint).")
    }
    guard kind != .status || status != nil, kind != .redirect || location != nil else {
      throw SettingsError(reason: "The kind \(kind.rawValue) lacks its status or location.")
    }
    guard kind != .delay && kind != .retryAfter || milliseconds != nil else {
      throw SettingsError(reason: "The kind \(kind.rawValue) lacks its milliseconds.")
    }
    if let count, count < 1 { throw SettingsError(reason: "The count is less than 1.") }
  }

  /// Whether a request to this endpoint fails.
  func matches(_ name: String) -> Bool {
    endpoint == "*" || endpoint == name || name.hasPrefix(endpoint + ".")
  }
}
