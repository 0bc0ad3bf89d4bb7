package import SystemPackage

/// The user's settings for all profiles: the file `config.toml`.
package struct Configuration: Sendable, Equatable {
  /// The URL of the client ID metadata document, which is the client ID at servers that read such documents
  /// (draft-ietf-oauth-client-id-metadata-document, section 3).
  package let clientMetadataURL: String?

  /// The key of ``clientMetadataURL`` in the file.
  package static let clientMetadataKey = "client_metadata_url"

  /// Reads the file strictly; a missing file leaves everything at its default.
  ///
  /// - Parameter folder: the folder of the file, which others must not be able to change.
  /// - Throws: ``AuthError/usage(_:)`` with the location in the file.
  package init(in folder: FilePath) throws(AuthError) {
    let file = Configuration.file(in: folder)
    guard let text = try ProfileDirectory.text(of: file, in: folder, what: Configuration.what) else {
      clientMetadataURL = nil
      return
    }
    let source = try ProfileSource(what: Configuration.what, file: file.string, text: text)
    let table = ProfileTable(source.document.members)
    do throws(ProfileFault) {
      try table.refuse(otherThan: [Configuration.clientMetadataKey])
      clientMetadataURL = try table[Configuration.clientMetadataKey].map(Configuration.documentURL)
    } catch {
      throw source.error(error)
    }
  }

  /// The path of the file.
  package static func file(in folder: FilePath) -> FilePath { folder.appending("config.toml") }

  private static let what = "the configuration"

  /// Reads a URL that can be a client ID: https, with a path, and without query and fragment.
  private static func documentURL(_ value: ProfileValue) throws(ProfileFault) -> String {
    let text = try value.text()
    let hint = "use the address at which you host the document: https://example.com/client.json"
    let url: WebURL
    do { url = try WebURL(text) } catch { throw value.fault("is not a usable URL: \(error)", hint: hint) }
    let isPlain = url.query == nil && !text.contains(bytes: "#") && !url.path.split(atAny: "/").contains { $0 == ".." }
    guard url.origin.scheme == .https, url.path.count > 1, isPlain, url.string == text else {
      throw value.fault("must be an https URL with a path, without query and fragment", hint: hint)
    }
    return text
  }
}
