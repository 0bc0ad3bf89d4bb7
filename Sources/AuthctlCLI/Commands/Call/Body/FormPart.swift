import AuthCore

/// A part of a multipart body (RFC 2046, section 5.1), with its header and its content.
struct FormPart: Sendable {
  /// The content of a part.
  enum Content: Sendable {
    /// Bytes, a file, or a pipe.
    case body(RequestBody)
    /// Further parts.
    case parts([FormPart])
  }

  /// The field's name; nil if it has none.
  var name: String?
  /// The file's name; nil if the part is not a file.
  var fileName: String?
  /// The media type that was given; it takes precedence over one in ``headers``.
  var givenType: String?
  /// The media type if none was given.
  var guessedType: String?
  /// The header lines that were given.
  var headers: [String] = []
  /// The `Content-Transfer-Encoding`; nil if none was given.
  var encoding: String?
  /// The part's content.
  var content: Content

  /// The media type in the part's header.
  var mediaType: String? { givenType ?? value(of: "Content-Type") ?? guessedType }

  /// Returns the lines of the part's header, each with its line end.
  ///
  /// - Parameters:
  ///   - disposition: `form-data` or `attachment`.
  ///   - boundary: the boundary between the parts inside this one.
  func header(_ disposition: String, boundary: String?) -> String {
    var lines: [String] = []
    if value(of: "Content-Disposition") == nil, let line = dispositionLine(disposition) { lines.append(line) }
    if let mediaType {
      lines.append("Content-Type: \(mediaType)" + (boundary.map { "; boundary=\($0)" } ?? ""))
    }
    if let encoding, value(of: "Content-Transfer-Encoding") == nil {
      lines.append("Content-Transfer-Encoding: \(encoding)")
    }
    lines += headers.filter { FormPart.value(of: "Content-Type", in: $0) == nil }
    return lines.map { $0 + "\r\n" }.joined()
  }

  private func dispositionLine(_ disposition: String) -> String? {
    // A part of a form always has a Content-Disposition; other parts have one only if they have a name.
    guard name != nil || fileName != nil || disposition == "form-data" else { return nil }
    return "Content-Disposition: \(disposition)" + (name.map { "; name=\"\(MultipartBody.escape($0))\"" } ?? "")
      + (fileName.map { "; filename=\"\(MultipartBody.escape($0))\"" } ?? "")
  }

  private func value(of name: String) -> String? {
    headers.lazy.compactMap { FormPart.value(of: name, in: $0) }.first
  }

  private static func value(of name: String, in line: String) -> String? {
    guard line.lowercased().starts(withBytes: name.lowercased() + ":") else { return nil }
    return String(line[(line.firstIndex(ofAny: ":") ?? line.startIndex)...].drop(anyOf: ": "))
  }
}
