import Foundation
import TestSupport
import Testing

/// `login URL` where nothing is known yet: each way to be found, with each way to get a client.
@Suite("FirstLoginTable") struct FirstLoginTableTests {
  /// What is typed, and what leads from there to the authorization server.
  enum Address: String, CaseIterable, Sendable {
    case challenge, wellKnown, wellKnownWithSlash, wellKnownPageBelow, pageBelowAPI
    case issuer, issuerWithSlash, wellKnownURL, pageBelowIssuer

    var path: String {
      switch self {
      case .challenge, .wellKnown: "/api"
      case .wellKnownWithSlash: "/api/"
      case .wellKnownPageBelow, .pageBelowAPI: "/api/me"
      case .issuer: "/tenant"
      case .issuerWithSlash: "/tenant/"
      case .wellKnownURL: "/tenant/.well-known/openid-configuration"
      case .pageBelowIssuer: "/tenant/account/security"
      }
    }

    /// The settings of the server, whose issuer has a path, so that it is not the API's origin.
    func settings(_ origin: String) -> String {
      switch self {
      case .challenge, .pageBelowAPI:
        """
        {"issuer_path":"/tenant","resource_metadata":true,"resource_metadata_at":"neither",\
        "resource_metadata_url":"\(origin)/resource-metadata","required_audience":"\(origin)/api"}
        """
      case .wellKnown, .wellKnownWithSlash, .wellKnownPageBelow:
        """
        {"issuer_path":"/tenant","resource_metadata":true,"get_without_token_status":405,\
        "required_audience":"\(origin)/api"}
        """
      case .issuer, .issuerWithSlash, .wellKnownURL, .pageBelowIssuer: #"{"issuer_path":"/tenant"}"#
      }
    }

    /// What an issuer's address leaves to be given.
    func options(_ origin: String) -> [String] { path.hasPrefix("/api") ? [] : ["--api", origin + "/api"] }
  }

  /// Where the client comes from.
  enum Client: String, CaseIterable, Sendable {
    case given, stored, document, registered, registeredWithSecret, registeredByToken

    /// The command line of the server.
    var lab: [String] {
      switch self {
      case .given, .document: []
      case .stored, .registered, .registeredWithSecret: ["--registration"]
      case .registeredByToken: ["--registration-token", "IAT"]
      }
    }

    var settings: String {
      switch self {
      case .document: #"{"client_metadata_documents":true}"#
      case .registeredWithSecret: #"{"registration_faults":["no-public-clients"]}"#
      case .given, .stored, .registered, .registeredByToken: "{}"
      }
    }

    var options: [String] {
      switch self {
      case .given: ["--client-id", "cli"]
      case .registeredByToken: ["--registration-token-stdin"]
      case .stored, .document, .registered, .registeredWithSecret: []
      }
    }

    /// How the client's identifier begins.
    var identifier: String {
      switch self {
      case .given: "cli"
      case .document: FirstLoginTableTests.document
      case .stored, .registered, .registeredWithSecret, .registeredByToken: "registered-"
      }
    }
  }

  private static let document = "https://app.example/authctl.json"

  private func login(_ place: Workplace, _ address: Address, _ options: [String] = []) async throws -> Outcome {
    let origin = place.lab.origin
    return try await place.run(
      ["login", origin + address.path] + address.options(origin) + options,
      input: options.contains("--registration-token-stdin") ? .text("IAT") : .nothing, browser: place.browser())
  }

  /// Hosts the document that authctl prints, where the configuration says that it is.
  private func publishDocument(_ place: Workplace) async throws {
    try FileManager.default.createDirectory(
      at: place.configuration, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data("client_metadata_url = \"\(Self.document)\"\n".utf8).write(
      to: place.configuration.appending(path: "config.toml"))
    try await place.lab.publish(clientDocument: try await place.run("profile", "client-metadata").text)
  }

  @Test("one URL and one way to a client end in a 200", arguments: Address.allCases, Client.allCases)
  func cell(address: Address, client: Client) async throws {
    let place = try Workplace(lab: client.lab)
    try await place.lab.change(address.settings(place.lab.origin))
    try await place.lab.change(client.settings)
    if client == .document { try await publishDocument(place) }
    if client == .stored {
      // The profile is gone, the registration is not.
      #expect(try await login(place, address).status == 0)
      try FileManager.default.removeItem(at: place.file().deletingLastPathComponent())
    }
    let outcome = try await login(place, address, client.options)
    outcome.expect(0)
    let call = try await place.run("call", place.lab.origin + "/api/me")
    call.expect(0)
    let identifier = try #require(try call.json().string("client_id"))
    #expect(identifier.hasPrefix(client.identifier))
    #expect(try await place.lab.count("registration.create.ok") == (client.identifier == "registered-" ? 1 : 0))
  }

  @Test(
    "without a way to a client: status 2, with all that is missing, and nothing is kept", arguments: Address.allCases)
  func noClient(address: Address) async throws {
    let place = try Workplace()
    try await place.lab.change(address.settings(place.lab.origin))
    let outcome = try await login(place, address)
    outcome.expect(2, error: "client_id is missing")
    #expect(outcome.error.contains("at \(place.lab.origin)/tenant with the redirect URI http://127.0.0.1/callback"))
    #expect(outcome.error.contains("run: authctl login \(place.lab.origin)"), "\(outcome.error)")
    #expect(outcome.error.contains("--client-id ID\n"), "\(outcome.error)")
    #expect(place.secrets.items.isEmpty && !FileManager.default.fileExists(atPath: place.configuration.path))
    #expect(try await place.lab.count("authorize") == 0)
  }
}
