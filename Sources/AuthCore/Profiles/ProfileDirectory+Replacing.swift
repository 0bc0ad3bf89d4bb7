import FoundationEssentials
import SystemPackage

extension ProfileDirectory {
  /// Puts a text in place of a profile's file, or makes it, in one piece; a symbolic link stays one.
  ///
  /// - Throws: ``AuthError/failed(_:)`` where it can't be written; what was there is then as it was.
  public func replace(_ text: String, as name: ProfileName) throws(AuthError) {
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
  public func remove(_ name: ProfileName) throws(AuthError) {
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
