import TOMLKit

extension MultipartTemplate {
  /// Reads the table `multipart` of a request.
  ///
  /// - Throws: ``AuthError/usage(_:)`` with the place in the file.
  init(_ table: ProfileTable) throws(AuthError) {
    var fields: [Field] = []
    for key in table.keys { fields.append(Field(name: key, content: try table.part(key))) }
    self.fields = fields
  }
}

extension ProfileTable {
  /// One field: a text, `@{name}` for a file, or a table with `file`, `fit` and `max_bytes`.
  fileprivate func part(_ key: String) throws(AuthError) -> MultipartTemplate.Field.Content {
    guard let text = value(key)?.string else {
      guard value(key)?.table != nil else {
        throw illTyped(key, wants: "a string or a table", example: "\"@{file}\"")
      }
      return try table(key).fittedFile()
    }
    guard text.hasPrefix("@{"), !text.hasPrefix("@{{") else { return .text(try textTemplate(key)) }
    return .file(try file(text.dropFirst(), key: key), nil)
  }

  private func fittedFile() throws(AuthError) -> MultipartTemplate.Field.Content {
    guard let text = try string("file") else {
      throw error("file", "'file' is missing", hint: "write { file = \"{image?}\", fit = \"1024x1024\" }")
    }
    let placeholder = try file(text.hasPrefix("@") ? text.dropFirst() : text[...], key: "file")
    var limits: ImageLimits?
    if let text = try string("fit") {
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard sides.count == 2, sides.allSatisfy({ (1...65535).contains($0) }) else {
        throw error("fit", "'fit' is not a size in pixels", hint: "use \"1024x1024\"")
      }
      limits = ImageLimits(width: sides[0], height: sides[1])
    }
    if has("max_bytes") {
      guard let written = value("max_bytes"), let text = written.string ?? written.int.map(String.init),
        let size = ByteSize.parse(text)
      else {
        throw error("max_bytes", "'max_bytes' is not a size of a file", hint: "use \"5MB\" or \"500KB\"")
      }
      limits = limits ?? ImageLimits()
      limits?.maxBytes = size
    }
    try refuseTheRest()
    return .file(placeholder, limits)
  }

  /// A file is one placeholder alone.
  private func file(_ text: Substring, key: String) throws(AuthError) -> Placeholder {
    guard text.hasPrefix("{"), text.hasSuffix("}"), var placeholder = Placeholder(text.dropFirst().dropLast()) else {
      throw error(key, "'\(key)' is a file, but not one placeholder alone", hint: "use \"@{image}\"")
    }
    placeholder.isFile = true
    return placeholder
  }
}
