import FoundationEssentials
package import SystemPackage

/// Resolves the paths in a profile with its folder and the home directory.
package struct ProfilePaths: Sendable {
  private let folder: FilePath
  private let home: FilePath

  /// Creates a resolver; the folders may be missing.
  package init(folder: FilePath, home: FilePath) {
    self.folder = folder
    self.home = home
  }

  /// Returns the absolute path of a file. `~/` stands for the home directory; any other relative path is in the folder.
  /// The name of a credential (`credential:NAME`) is returned unchanged.
  package func absolute(_ path: String) -> String {
    guard !SecretFile.isCredential(path) else { return path }
    let resolved =
      path == "~" || path.starts(withBytes: "~/")
      ? home.pushing(FilePath(String(path.dropping(prefix: "~/") ?? ""))) : folder.pushing(FilePath(path))
    // After a symbolic link, `..` can't be resolved from the text alone.
    let isPlain = !resolved.components.contains { $0.kind == .parentDirectory }
    return isPlain ? resolved.lexicallyNormalized().string : resolved.string
  }
}

extension Profile {
  /// Returns the profile with absolute paths in place of those in its file.
  ///
  /// - Throws: ``AuthError/usage(_:)`` with the location in the file if a file in `[network]` is required and does not
  ///   exist.
  func resolved(
    by paths: ProfilePaths, _ source: ProfileSource, requiringFiles: Bool
  ) throws(AuthError) -> Profile {
    var profile = self
    for key in ProfileKey.all where key.form == .path {
      guard let path = key.shown(self)?.string.map(paths.absolute) else { continue }
      // The existence of any other file is checked when it is read.
      guard !requiringFiles || key.table != "network" || FileManager.default.fileExists(atPath: path) else {
        throw source.error(
          at: [key.table, key.name], "'\(key.name)' names a file that does not exist: \(Escaped.text(path))",
          hint: "correct the path, or create the file")
      }
      if requiringFiles { try checkFile(path, key, source) }
      do throws(ProfileFault) {
        try key.read(.string(path), into: &profile)
      } catch {
        throw source.error(error)
      }
    }
    return profile
  }

  /// Checks a file that libcurl opens: a key has the rules of other key files, and none may be a pipe, which could
  /// block.
  private func checkFile(_ path: String, _ key: ProfileKey, _ source: ProfileSource) throws(AuthError) {
    guard key.table == "network", ["cacert", "client_certificate", "client_key"].contains(key.name) else { return }
    let holdsKey = key.name == "client_key" || key.name == "client_certificate" && network.clientKey == nil
    let rule = holdsKey ? ProtectedFile.Rule.readableByOwner : .protectedBySystem
    do throws(ProtectedFile.Refusal) {
      try ProtectedFile(FilePath(path), rule).check()
    } catch {
      throw source.error(
        at: [key.table, key.name], "\(Escaped.text(path)): \(error.why)", hint: error.hint(FilePath(path), rule))
    }
  }
}
