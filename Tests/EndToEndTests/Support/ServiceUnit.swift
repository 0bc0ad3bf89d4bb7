import Foundation
import TestSupport
import Testing

/// A systemd service from a manual page, which a test runs as systemd does: with its credentials and environment.
struct ServiceUnit {
  /// The program of the page, which the tests replace by the built one.
  private static let program = "/usr/local/bin/authctl"
  private static let analyzer = "/usr/bin/systemd-analyze"

  /// The text of the unit's file.
  let text: String

  /// Returns the values of a setting, in order.
  func values(_ name: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// The arguments of the program in each `ExecStart`.
  func commands() throws -> [[String]] {
    try values("ExecStart").map { line in
      let words = line.split(separator: " ").map(String.init)
      try #require(words.first == ServiceUnit.program, "\(line)")
      return Array(words.dropFirst())
    }
  }

  /// The variables of `Environment`.
  var environment: [String: String] {
    values("Environment").flatMap { $0.split(separator: " ") }.reduce(into: [:]) { result, word in
      let parts = word.split(separator: "=", maxSplits: 1)
      result[String(parts[0])] = String(parts[1])
    }
  }

  /// The credentials, with the paths of the files that they are read from.
  func credentials() throws -> [(name: String, path: String)] {
    try (values("LoadCredential") + values("LoadCredentialEncrypted")).map { value in
      let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
      try #require(parts.count == 2, "\(value)")
      return (parts[0], parts[1])
    }
  }

  /// Writes the credentials to a folder as systemd does, and returns the folder.
  ///
  /// - Parameters:
  ///   - place: the folder that the folder of the credentials is created in.
  ///   - contents: returns what the file at a path contains.
  func loadCredentials(in place: URL, _ contents: (String) throws -> Data) throws -> String {
    let folder = place.appending(path: "credentials")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, path) in try credentials() {
      let file = folder.appending(path: name)
      try contents(path).write(to: file)
      // Of root, and readable to the service by an access control list, which shows as the group's mode.
      try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: file.path)
    }
    return folder.path
  }

  /// Expects that systemd accepts the unit without a remark, if `systemd-analyze` is there.
  ///
  /// - Parameter isOfUser: whether the unit is a user's, and not the system's.
  func expectValid(isOfUser: Bool, in session: PrivateSession) throws {
    guard FileManager.default.isExecutableFile(atPath: ServiceUnit.analyzer) else { return }
    let file = session.directory.appending(path: "example.service")
    try Data(text.replacing(ServiceUnit.program, with: Workplace.binary).utf8).write(to: file)
    let words = ["verify", "--man=no"] + (isOfUser ? ["--user"] : []) + [file.path]
    let outcome = try ProgramRun(
      ServiceUnit.analyzer, words, environment: session.environment, folder: session.directory
    ).wait()
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
  }
}
