/// Derives the media type of a file from its name.
enum FileMediaType {
  private static let byExtension = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
    "avif": "image/avif", "heic": "image/heic", "bmp": "image/bmp", "tiff": "image/tiff", "svg": "image/svg+xml",
    "pdf": "application/pdf", "json": "application/json", "xml": "application/xml", "zip": "application/zip",
    "txt": "text/plain", "csv": "text/csv", "html": "text/html", "mp3": "audio/mpeg", "mp4": "video/mp4",
  ]

  /// Returns the media type for the name's extension; `application/octet-stream` if it is unknown.
  static func guess(_ name: String) -> String {
    byExtension[suffix(of: name)?.lowercased() ?? ""] ?? "application/octet-stream"
  }

  /// Returns the name with the extension of a type, such as `.jpg` instead of `.png` for `image/jpeg`.
  static func rename(_ name: String, to mediaType: String) -> String {
    guard guess(name) != mediaType, let wanted = ["image/jpeg": "jpg", "image/png": "png"][mediaType] else {
      return name
    }
    return name[..<(suffixDot(of: name) ?? name.endIndex)] + "." + wanted
  }

  private static func suffix(of name: String) -> Substring? {
    suffixDot(of: name).map { name.suffix(after: $0) }
  }

  private static func suffixDot(of name: String) -> String.Index? {
    name.lastIndex(ofAny: ".").flatMap { $0 > name.startIndex ? $0 : nil }
  }
}
