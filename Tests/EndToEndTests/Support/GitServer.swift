import Foundation
import TestSupport

/// A repository with one commit, served to those who show a token.
final class GitServer: Sendable {
  /// Scheme, host and port.
  let origin: String
  /// The id of the commit.
  let commit: String
  private let process: ProgramRun

  /// Makes the repository `repository.git` and serves it.
  /// - Throws: `SessionError`.
  init(_ place: Workplace, token: String) throws {
    let folder = place.session.directory.appending(path: "git")
    let repository = folder.appending(path: "repository.git").path
    try FileManager.default.createDirectory(atPath: repository, withIntermediateDirectories: true)
    let git = { (words: [String]) in
      try place.session.run("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b"] + words)
    }
    _ = try git(["init", "-q", "--bare"])
    let tree = try git(["mktree", "--batch"]).trimmingCharacters(in: .whitespacesAndNewlines)
    let empty = tree.isEmpty ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904" : tree
    commit = try git(["commit-tree", "-m", "first", empty]).trimmingCharacters(in: .whitespacesAndNewlines)
    _ = try git(["update-ref", "refs/heads/main", commit])
    _ = try git(["update-server-info"])
    process = try ProgramRun(
      "/usr/bin/python3", ["-B", Workplace.servers.appending(path: "git_server.py").path, folder.path],
      input: .held, environment: ["PATH": "/usr/bin:/bin"], folder: FileManager.default.temporaryDirectory)
    try process.write("\(token)\n")
    let port = String(decoding: try process.waitUntilItServes("the git server"), as: UTF8.self)
    origin = "http://127.0.0.1:" + port.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  deinit {
    process.closeInput()
    _ = try? process.wait(seconds: 600)
  }
}
