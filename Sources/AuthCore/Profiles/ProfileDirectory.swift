import FoundationEssentials
package import SystemPackage

/// The folder of the profile files: one `NAME.toml` per profile.
package struct ProfileDirectory: Sendable {
  /// The folder.
  package let path: FilePath
  /// Resolves the paths in the files.
  package let paths: ProfilePaths

  /// Creates a directory for a folder, which may be missing.
  ///
  /// - Parameter home: the directory that `~` stands for in the files; nil for the user's home directory.
  package init(_ path: FilePath, home: FilePath? = nil) {
    self.path = path
    // The user's own is looked up in the password database, which takes a while.
    paths = ProfilePaths(folder: path, home: home ?? FilePath(FileManager.default.homeDirectoryForCurrentUser.path))
  }

  /// Returns the file of a profile.
  package func file(of name: ProfileName) -> FilePath {
    path.appending("\(name).toml")
  }

  /// Returns whether a profile has a file.
  package func has(_ name: ProfileName) -> Bool { FileManager.default.fileExists(atPath: file(of: name).string) }

  /// Returns the names of all profiles, in order; files with other names are ignored.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the folder can't be read.
  package func names() throws(AuthError) -> [ProfileName] {
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: path.string)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return []
    } catch {
      throw ProfileDirectory.unreadable(path, (error as? CocoaError)?.code == .fileReadNoPermission)
    }
    return files.compactMap(ProfileDirectory.name).sorted()
  }

  /// Returns the name of the profile whose file has a name; nil if it is not the name of such a file.
  package static func name(ofFile file: String) -> ProfileName? {
    file.dropping(suffix: ".toml").flatMap { ProfileName(String($0)) }
  }

  /// Reads a profile, with absolute paths; nil if it has no file.
  ///
  /// - Parameter requiringFiles: whether the files that it names in `[network]` must exist.
  /// - Throws: ``AuthError/usage(_:)`` with the location in the file.
  package func profile(_ name: ProfileName, requiringFiles: Bool = true) throws(AuthError) -> Profile? {
    guard let text = try text(of: name) else { return nil }
    let source = try ProfileSource(name: name, file: file(of: name).string, text: text)
    var profile = try Profile(name: name, source).resolved(by: paths, source, requiringFiles: requiringFiles)
    profile.text = text
    return profile
  }

  /// Returns whether a profile certainly lacks these keys, from the text of its file alone: reading its settings takes
  /// as long as connecting to the keyring.
  package func certainlyLacks(_ keys: [String], _ name: ProfileName) -> Bool {
    // What is wrong with a file is reported when its settings are read.
    guard let text = try? text(of: name) else { return true }
    let (bytes, keys) = (Array(text.utf8), keys.map { Array($0.utf8) })
    // Without an escape, a key is in the text as it is.
    return !bytes.contains(UInt8(ascii: "\\"))
      && !bytes.indices.contains { index in
        keys.contains { bytes[index] == $0[0] && bytes[index...].starts(with: $0) }
      }
  }

  /// Returns the text of a profile's file; nil if there is none.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it can't be read as text, or if it or its folder belongs to another user or
  ///   is writable by others: it decides where tokens are sent.
  package func text(of name: ProfileName) throws(AuthError) -> String? {
    try ProfileDirectory.text(of: file(of: name), in: path, what: "profile \(name)")
  }

  /// Returns the text of a file that decides where tokens are sent; nil if there is none.
  ///
  /// - Throws: ``AuthError/usage(_:)``, as ``text(of:)``.
  static func text(of file: FilePath, in folder: FilePath, what: String) throws(AuthError) -> String? {
    var checked = file
    let bytes: [UInt8]
    do throws(ProtectedFile.Refusal) {
      bytes = try ProtectedFile(file, .writableByOwner, checksFolders: false).contents()
      checked = folder
      try ProtectedFile.checkFolder(folder)
    } catch .missing {
      return nil
    } catch .unreadable(let error) {
      throw ProfileDirectory.unreadable(checked, error == .permissionDenied)
    } catch {
      throw .usage(what, why: "\(checked): \(error.why)", hint: error.hint(checked, .writableByOwner))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage(what, why: "\(file) is not UTF-8 text", hint: "save it as UTF-8")
    }
    return text
  }

  /// Writes the file of a new profile completely or not at all, readable by its owner only.
  ///
  /// - Throws: ``AuthError/failed(_:)`` if it can't be written; an existing file is unchanged, and no error if another
  ///   login has just written the same text.
  package func write(_ text: String, as name: ProfileName) throws(AuthError) {
    let file = file(of: name)
    do {
      try PrivateFolder.make(path)
      // Exclusive creation: if two logins create the same profile, the second finds the file of the first.
      let descriptor = try FileDescriptor.open(
        file, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: [.ownerRead, .ownerWrite])
      do {
        try descriptor.closeAfter { _ = try descriptor.writeAll(text.utf8) }
      } catch {
        // Part of a profile is worse than none; the first error is reported, even if the removal fails too.
        try? FileManager.default.removeItem(atPath: file.string)
        throw error
      }
    } catch {
      if error as? Errno == .fileExists, try self.text(of: name) == text { return }
      throw .failed(
        "writing the profile \(name)", why: "\(file): \(error)", hint: "check the folder's owner and the disk")
    }
  }

  private static func unreadable(_ path: FilePath, _ isDenied: Bool) -> AuthError {
    let reason = isDenied ? "permission denied" : "it can't be read"
    return .usage("the profiles", why: "\(path): \(reason)", hint: "check its owner and mode")
  }
}

extension ProfileDirectory {
  /// Writes a profile's file atomically, replacing an existing one; a symbolic link is kept.
  ///
  /// - Throws: ``AuthError/failed(_:)`` if it can't be written; the former file is then unchanged.
  package func replace(_ text: String, as name: ProfileName) throws(AuthError) {
    let named = file(of: name)
    do {
      try PrivateFolder.make(path)
      // A user who links to files in another folder expects that they are changed there.
      let file = URL(filePath: named.string).resolvingSymlinksInPath()
      try Data(text.utf8).write(to: file, options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    } catch {
      throw .failed(
        "writing the profile \(name)", why: "\(named): \(error)", hint: "check the folder's owner and the disk")
    }
  }

  /// Removes a profile's file.
  ///
  /// - Throws: ``AuthError/failed(_:)`` if it can't be removed; a missing file is not an error.
  package func remove(_ name: ProfileName) throws(AuthError) {
    let file = file(of: name)
    do {
      try FileManager.default.removeItem(atPath: file.string)
    } catch let error as CocoaError where error.code == .fileNoSuchFile {
      return
    } catch {
      throw .failed("removing the profile \(name)", why: "\(file): \(error)", hint: "check the folder's owner")
    }
  }
}
