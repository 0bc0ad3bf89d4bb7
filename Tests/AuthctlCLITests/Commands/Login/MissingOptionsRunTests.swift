import TestSupport
import Testing

/// A first login for which more than one option is missing: one message names all of them, and what it says works.
@Suite("MissingOptionsRun") struct MissingOptionsRunTests {
  /// A command line without a terminal; `ORIGIN` is the server.
  struct Row: Sendable, CustomTestStringConvertible {
    let typed: String
    /// The reason in the message.
    let why: String
    /// The command line in the message.
    let next: String

    var testDescription: String { typed }
  }

  private static let rows: [Row] = [
    Row(
      typed: "login ci --flow client-credentials", why: "--issuer, --client-id and --client-secret-stdin are missing",
      next: "login ci --flow client-credentials --issuer URL --client-id ID --client-secret-stdin"),
    Row(
      typed: "login ci --flow client-credentials --client-secret-file /s", why: "--issuer and --client-id are missing",
      next: "login ci --flow client-credentials --client-secret-file /s --issuer URL --client-id ID"),
    Row(
      typed: "login ci --flow client-credentials --client-authentication private_key_jwt --issuer ORIGIN",
      why: "--client-id and --client-key-stdin are missing",
      next: "login ci --issuer ORIGIN --flow client-credentials --client-authentication private_key_jwt "
        + "--client-id ID --client-key-stdin"),
    Row(
      typed: "login ORIGIN/api --flow client-credentials", why: "--client-id and --client-secret-stdin are missing",
      next: "login ORIGIN/api --flow client-credentials --client-id ID --client-secret-stdin"),
    Row(
      typed: "login ci --flow password", why: "--issuer, --username and --password-stdin are missing",
      next: "login ci --flow password --issuer URL --username NAME --password-stdin"),
    Row(
      typed: "login ci --flow password --issuer ORIGIN", why: "--username and --password-stdin are missing",
      next: "login ci --issuer ORIGIN --flow password --username NAME --password-stdin"),
    Row(
      typed: "login ci --flow token-exchange --issuer ORIGIN --client-authentication client_secret_post",
      why: "--client-id, --subject-token-stdin and --client-secret-file are missing",
      next: "login ci --issuer ORIGIN --flow token-exchange --client-authentication client_secret_post --client-id ID "
        + "--subject-token-stdin --client-secret-file FILE"),
    Row(
      typed: "login ci --flow token-exchange --issuer ORIGIN --client-authentication client_secret_post "
        + "--subject-token-command print-token --subject-token-command -v",
      why: "--client-id and --client-secret-stdin are missing",
      next: "login ci --issuer ORIGIN --flow token-exchange --client-authentication client_secret_post "
        + "--subject-token-command print-token --subject-token-command -v --client-id ID --client-secret-stdin"),
    Row(
      typed: "login ci --flow jwt-bearer --subject-token-command print-token "
        + "--client-authentication client_secret_post",
      why: "--issuer, --client-id and --client-secret-stdin are missing",
      next: "login ci --flow jwt-bearer --client-authentication client_secret_post --subject-token-command print-token "
        + "--issuer URL --client-id ID --client-secret-stdin"),
    Row(
      typed: "login ci --flow jwt-bearer", why: "--issuer and --client-key-stdin are missing",
      next: "login ci --flow jwt-bearer --issuer URL --client-key-stdin"),
    Row(
      typed: "login ci --type basic", why: "--username, --api and --password-stdin are missing",
      next: "login ci --type basic --username NAME --api URL --password-stdin"),
  ]

  private static func filled(_ text: String, _ place: Workplace) -> String {
    text.replacing("ORIGIN", with: place.lab.origin)
  }

  @Test("all that is missing is named at once, with the command, and nothing is sent", arguments: rows)
  func row(row: Row) async throws {
    let place = try Workplace()
    let words = Self.filled(row.typed, place).split(separator: " ").map(String.init)
    let outcome = try await place.run(words)
    #expect(outcome.status == 2)
    let name = row.typed.contains("/api") ? Self.filled("ORIGIN", place).replacing("http://", with: "") : "ci"
    #expect(
      outcome.error == "authctl: profile \(name.replacing(":", with: "-")): \(row.why)\n"
        + "  run: authctl \(Self.filled(row.next, place))\n")
    #expect(place.network.sent == 0)
  }

  @Test("the command from the message, filled in, logs in")
  func followed() async throws {
    let place = try Workplace()
    let credentials = try await place.run(
      ["login", "ci", "--flow", "client-credentials", "--issuer", place.lab.origin, "--client-id", "svc"]
        + ["--client-secret-stdin"], input: .text("svc-secret"))
    credentials.expect(0)
    let password = try await place.run(
      ["login", "me", "--flow", "password", "--issuer", place.lab.origin, "--username", "alice", "--password-stdin"]
        + ["--client-id", "cli"], input: .text("alice-pass"))
    password.expect(0)
  }

  @Test("at a terminal only what is not prompted for is missing")
  func terminal() async throws {
    let place = try Workplace()
    let console = try FakeConsole(isTerminal: true)
    let outcome = await place.run(
      ["login", "ci", "--flow", "client-credentials"], at: console)
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("profile ci: --issuer and --client-id are missing\n"), "\(outcome.error)")
  }

  @Test("a single missing option keeps its own message")
  func single() async throws {
    let place = try Workplace()
    let outcome = try await place.run(
      ["login", "ci", "--flow", "password", "--issuer", place.lab.origin, "--client-id", "cli"]
        + ["--password-stdin"], input: .text("alice-pass"))
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("the user's name: it is missing\n  use --username"), "\(outcome.error)")
  }
}
