/// The media types that curl knows by the end of a file's name.
enum FormMediaType {
  /// What a file is whose name tells nothing.
  static let standard = "application/octet-stream"

  private static let types = [
    (".gif", "image/gif"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"), (".png", "image/png"),
    (".svg", "image/svg+xml"), (".txt", "text/plain"), (".htm", "text/html"), (".html", "text/html"),
    (".pdf", "application/pdf"), (".xml", "application/xml"),
  ]

  /// The type of a name, in whatever case; nil where it tells nothing.
  static func guess(_ name: String?) -> String? {
    guard let name = name?.lowercased() else { return nil }
    return types.first { name.hasSuffix($0.0) }?.1
  }
}
