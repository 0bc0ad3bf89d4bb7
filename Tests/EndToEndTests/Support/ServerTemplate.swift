import Foundation
import TestSupport

/// The templates for servers with requests of their own, and how each is used against authlab.
enum ServerTemplate: String, CaseIterable, Sendable {
  case jsonPair = "json-pair"
  case retryOn401 = "retry-on-401"
  case successFlag = "success-flag"
  case registerNested = "register-nested"
  case guestEnvelope = "guest-envelope"

  /// The kind of server that the file describes.
  var kind: ServerKind {
    switch self {
    case .jsonPair: .flat
    case .retryOn401: .silent
    case .successFlag: .flagged
    case .registerNested: .nested
    case .guestEnvelope: .enveloped
    }
  }

  /// The options of the login that the file's own remarks show, and what standard input brings.
  var login: (options: [String], input: String) {
    switch self {
    case .jsonPair, .retryOn401: (["--username", "alice", "--password-stdin"], Workplace.password)
    case .successFlag: (["--field", "provider=x", "--field", "identity_token=@-"], "identity-of-alice\n")
    case .registerNested: (kind.options, "pw-of-ada")
    case .guestEnvelope: (["--field", "name=Ada"], "")
    }
  }

  /// Who `status` says is logged in.
  var subject: String? {
    switch self {
    case .registerNested: "ada@x.example"
    case .guestEnvelope: "Ada"
    default: nil
    }
  }

  /// Whether the file or the server says how long an access token lives.
  var knowsExpiry: Bool { ![.retryOn401, .successFlag].contains(self) }

  /// The path below the server's name to which the paths of the requests are appended.
  private var path: String {
    switch self {
    case .jsonPair, .retryOn401: ""
    case .successFlag: "/api"
    case .registerNested, .guestEnvelope: "/v1"
    }
  }

  /// The template of the program with the server's address.
  /// - Throws: `CocoaError` if it can't be read.
  func text(_ origin: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Sources/AuthctlCLI/Templates/\(rawValue).toml")
    return try String(contentsOf: file.standardized, encoding: .utf8)
      .replacing("{base}", with: "\(origin)/\(kind.name)\(path)")
  }
}

extension Workplace {
  /// Logs in to the profile `work`, made from a template.
  func logIn(_ template: ServerTemplate) throws -> Outcome {
    try run(["login", "work"] + template.login.options, input: .text(template.login.input))
  }

  /// A workplace with the profile `work` made from a template, logged in to, and with fresh counters.
  static func loggedIn(_ template: ServerTemplate, settings: String = "{}") throws -> Workplace {
    let place = try Workplace()
    try place.lab.change(settings)
    try place.write(template.text(place.lab.origin))
    let outcome = try place.logIn(template)
    guard outcome.status == 0 else { throw SessionError("no login: \(outcome.error)") }
    try place.lab.reset()
    return place
  }
}
