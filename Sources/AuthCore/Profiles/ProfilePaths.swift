import FoundationEssentials
package import SystemPackage

/// The folder and the home directory by which the paths of a profile become absolute.
package struct ProfilePaths: Sendable {
  private let folder: FilePath
  private let home: FilePath

  /// Names both; they need not exist.
  package init(folder: FilePath, home: FilePath) {
    self.folder = folder
    self.home = home
  }

  /// The whole path of a file: `~/` stands for the home directory, any other relative path is in the folder.
  package func absolute(_ path: String) -> String {
    let resolved =
      path == "~" || path.hasPrefix("~/")
      ? home.pushing(FilePath(String(path.dropFirst(2)))) : folder.pushing(FilePath(path))
    // After a symbolic link `..` is not what its text says.
    let isPlain = !resolved.components.contains { $0.kind == .parentDirectory }
    return isPlain ? resolved.lexicallyNormalized().string : resolved.string
  }
}

extension Profile {
  /// The profile with whole paths in the place of those in its file.
  ///
  /// - Throws: ``AuthError/usage(_:)`` with the place in the file if a file of `[network]` is required and does not
  ///   exist.
  func resolved(
    by paths: ProfilePaths, _ source: ProfileSource, requiringFiles: Bool
  ) throws(AuthError) -> Profile {
    func existing(_ path: String?, _ key: String) throws(AuthError) -> String? {
      guard let path = path.map(paths.absolute) else { return nil }
      guard !requiringFiles || FileManager.default.fileExists(atPath: path) else {
        throw source.error(
          at: ["network", key], "'\(key)' names a file that does not exist: \(Escaped.text(path))",
          hint: "correct the path, or create the file")
      }
      return path
    }
    var profile = self
    profile.network.cacert = try existing(network.cacert, "cacert")
    profile.network.clientCertificate = try existing(network.clientCertificate, "client_certificate")
    profile.network.clientKey = try existing(network.clientKey, "client_key")
    // It is looked for when it is read.
    profile.assertion.key = assertion.key.map(paths.absolute)
    return profile
  }
}
