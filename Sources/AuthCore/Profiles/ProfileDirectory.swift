import FoundationEssentials
package import SystemPackage

/// The folder of the profile files: one `NAME.toml` a profile.
package struct ProfileDirectory: Sendable {
  /// The folder.
  package let path: FilePath
  /// By which the paths in the files become absolute.
  package let paths: ProfilePaths

  /// Names the folder; it need not exist.
  ///
  /// - Parameter home: the directory that `~` stands for in the files; nil for the user's own.
  package init(_ path: FilePath, home: FilePath? = nil) {
    self.path = path
    let own = FilePath(FileManager.default.homeDirectoryForCurrentUser.path)
    paths = ProfilePaths(folder: path, home: home ?? own)
  }

  /// The file of a profile.
  package func file(of name: ProfileName) -> FilePath {
    path.appending("\(name).toml")
  }

  /// The names of all profiles, in order; files with other names are passed over.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where the folder can't be read.
  package func names() throws(AuthError) -> [ProfileName] {
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: path.string)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return []
    } catch {
      throw ProfileDirectory.unreadable(path, (error as? CocoaError)?.code == .fileReadNoPermission)
    }
    return files.filter { $0.hasSuffix(".toml") }.compactMap { ProfileName(String($0.dropLast(5))) }.sorted()
  }

  /// Reads a profile; nil where it has no file. Its paths are whole ones.
  ///
  /// - Parameter requiringFiles: whether the files that it names in `[network]` must exist.
  /// - Throws: ``AuthError/usage(_:)`` with the place in the file.
  package func profile(_ name: ProfileName, requiringFiles: Bool = true) throws(AuthError) -> Profile? {
    guard let text = try text(of: name) else { return nil }
    let file = file(of: name).string
    return try Profile(toml: text, file: file, name: name)
      .resolved(by: paths, ProfileSource(name: name, file: file, text: text), requiringFiles: requiringFiles)
  }

  /// The text of a profile's file; nil where there is none.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it can't be read as text, or where it or its folder belongs to another
  ///   user or is writable by others: it decides where tokens go.
  package func text(of name: ProfileName) throws(AuthError) -> String? {
    let file = file(of: name)
    var checked = file
    let bytes: [UInt8]
    do throws(ProtectedFile.Refusal) {
      bytes = try ProtectedFile(file, .writableByOwner).contents()
      checked = path
      try ProtectedFile.checkFolder(path)
    } catch .missing {
      return nil
    } catch .unreadable(let error) {
      throw ProfileDirectory.unreadable(checked, error == .permissionDenied)
    } catch {
      throw .usage(
        .init("profile \(name)", why: "\(checked): \(error.why)", hint: error.hint(checked, .writableByOwner)))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage(.init("profile \(name)", why: "\(file) is not UTF-8 text", hint: "save it as UTF-8"))
    }
    return text
  }

  /// Writes the file of a new profile, in one piece, for its owner's eyes only.
  ///
  /// - Throws: ``AuthError/failed(_:)`` where it can't be written; a file that is there stays as it is.
  package func write(_ text: String, as name: ProfileName) throws(AuthError) {
    let file = file(of: name)
    do {
      try PrivateFolder.make(path)
      // Exclusive creation: of two logins that make the same profile, the second finds the first one's file.
      let descriptor = try FileDescriptor.open(
        file, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: [.ownerRead, .ownerWrite])
      do {
        try descriptor.closeAfter { _ = try descriptor.writeAll(text.utf8) }
      } catch {
        // Half a profile is worse than none; what failed is told, whatever becomes of the rest.
        try? FileManager.default.removeItem(atPath: file.string)
        throw error
      }
    } catch {
      throw .failed(
        .init("writing the profile \(name)", why: "\(file): \(error)", hint: "check the folder's owner and the disk"))
    }
  }

  private static func unreadable(_ path: FilePath, _ isDenied: Bool) -> AuthError {
    let reason = isDenied ? "permission denied" : "it can't be read"
    return .usage(.init("the profiles", why: "\(path): \(reason)", hint: "check its owner and mode"))
  }
}

extension ProfileDirectory {
  /// Puts a text in place of a profile's file, or makes it, in one piece; a symbolic link stays one.
  ///
  /// - Throws: ``AuthError/failed(_:)`` where it can't be written; what was there is then as it was.
  package func replace(_ text: String, as name: ProfileName) throws(AuthError) {
    let named = file(of: name)
    do {
      try PrivateFolder.make(path)
      // Whoever keeps the files elsewhere and links to them wants them written there.
      let file = URL(filePath: named.string).resolvingSymlinksInPath()
      try Data(text.utf8).write(to: file, options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    } catch {
      throw .failed(
        .init("writing the profile \(name)", why: "\(named): \(error)", hint: "check the folder's owner and the disk"))
    }
  }

  /// Removes a profile's file.
  ///
  /// - Throws: ``AuthError/failed(_:)`` where it can't be removed; no error where there is none.
  package func remove(_ name: ProfileName) throws(AuthError) {
    let file = file(of: name)
    do {
      try FileManager.default.removeItem(atPath: file.string)
    } catch let error as CocoaError where error.code == .fileNoSuchFile {
      return
    } catch {
      throw .failed(.init("removing the profile \(name)", why: "\(file): \(error)", hint: "check the folder's owner"))
    }
  }
}
