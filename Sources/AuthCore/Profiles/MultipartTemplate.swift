/// The fields of a `multipart/form-data` body, with placeholders (RFC 7578).
package struct MultipartTemplate: Sendable, Equatable {
  /// One field.
  struct Field: Sendable, Equatable {
    /// The content of a field.
    enum Content: Sendable, Equatable {
      /// A text.
      case text(TextTemplate)
      /// A file; an image is first fitted to the limits, if there are any.
      case file(Placeholder, ImageLimits?)
    }

    /// The field's name.
    let name: String
    /// The field's content.
    let content: Content
  }

  /// The fields, in the order of the profile's file, or of their names if there is none.
  var fields: [Field]

  /// The placeholders.
  var placeholders: [Placeholder] {
    fields.flatMap { field in
      switch field.content {
      case .text(let template): template.placeholders
      case .file(let placeholder, _): [placeholder]
      }
    }
  }

  /// Returns the template with its fields in an order of their names; others keep their place at the end.
  func arranged(_ names: [String]) -> MultipartTemplate {
    let places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    var template = self
    template.fields = fields.enumerated().sorted { left, right in
      (places[left.element.name] ?? .max, left.offset) < (places[right.element.name] ?? .max, right.offset)
    }.map(\.element)
    return template
  }

  /// Returns the parts with the values in place of the placeholders; omits a part whose value is absent.
  ///
  /// - Throws: ``AuthError`` if a value is missing or an image can't be fitted.
  func filled(
    _ values: RequestValues, imageFitting: @Sendable () -> any ImageFitting
  ) async throws(AuthError) -> [MultipartBody.Part] {
    var parts: [MultipartBody.Part] = []
    for field in fields {
      switch field.content {
      case .text(let template):
        guard let text = try template.filled(values) else { continue }
        parts.append(.init(name: field.name, content: Array(text.utf8)))
      case .file(let placeholder, let limits):
        guard let file = try values.file(placeholder) else { continue }
        guard let limits else {
          parts.append(.init(name: field.name, file: file.name, content: file.content))
          continue
        }
        let fitted: (bytes: [UInt8], mediaType: String)
        do throws(AuthError) {
          fitted = try await imageFitting().fitted(file.content, limits: limits)
        } catch {
          throw MultipartTemplate.naming(file.name, field.name, in: error)
        }
        let name = FileMediaType.rename(file.name, to: fitted.mediaType)
        parts.append(.init(name: field.name, file: name, mediaType: fitted.mediaType, content: fitted.bytes))
      }
    }
    return parts
  }

  /// Adds the file and the field to an error: the code that fits an image does not know them.
  private static func naming(_ file: String, _ field: String, in error: AuthError) -> AuthError {
    guard case .usage(var explanation) = error else { return error }
    explanation.what = "the image \(Escaped.text(file)) for the field \(Escaped.text(field))"
    return .usage(explanation)
  }
}

extension MultipartTemplate {
  /// Reads the table `multipart` of a request.
  init(_ table: ProfileTable) throws(ProfileFault) {
    fields = try table.values.map { value throws(ProfileFault) in Field(name: value.key, content: try value.part()) }
  }
}

extension ProfileValue {
  /// Reads one field: a text, `@{name}` for a file, or a table with `file`, `fit` and `max_bytes`.
  fileprivate func part() throws(ProfileFault) -> MultipartTemplate.Field.Content {
    switch content {
    case .object: return try table().fittedFile()
    case .string(let text) where text.starts(withBytes: "@{") && !text.starts(withBytes: "@{{"):
      return .file(try file(text.suffix(after: text.startIndex)), nil)
    case .string: return .text(try textTemplate())
    default: throw illTyped(wants: "a string or a table", example: "\"@{file}\"")
    }
  }

  /// Reads the placeholder of a file: the text must consist of one placeholder only.
  fileprivate func file(_ text: Substring) throws(ProfileFault) -> Placeholder {
    guard let name = text.dropping(prefix: "{")?.dropping(suffix: "}"), var placeholder = Placeholder(name) else {
      throw fault("must be one placeholder after the @", hint: "use \"@{image}\"")
    }
    placeholder.isFile = true
    return placeholder
  }
}

extension ProfileTable {
  fileprivate func fittedFile() throws(ProfileFault) -> MultipartTemplate.Field.Content {
    try refuse(otherThan: ["file", "fit", "max_bytes"])
    guard let value = self["file"] else {
      throw fault("file", "is missing", hint: "write { file = \"{image?}\", fit = \"1024x1024\" }")
    }
    let text = try value.text()
    let placeholder = try value.file(text.dropping(prefix: "@") ?? text[...])
    var limits: ImageLimits?
    if let value = self["fit"] {
      let sides = try value.text().split(atAny: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard sides.count == 2, sides.allSatisfy({ (1...65535).contains($0) }) else {
        throw value.fault("is not a size in pixels", hint: "use \"1024x1024\"")
      }
      limits = ImageLimits(width: sides[0], height: sides[1])
    }
    if let value = self["max_bytes"] {
      guard let size = value.textOrInteger.flatMap({ ByteSize.parse($0) }) else {
        throw value.fault("is not a size of a file", hint: "use \"5MB\" or \"500KB\"")
      }
      limits = limits ?? ImageLimits()
      limits?.maxBytes = size
    }
    return .file(placeholder, limits)
  }
}

/// Sizes as people write them: `5MB`, `500KB`, `1MiB`, or plain bytes.
package enum ByteSize {
  /// Reads a size of one byte or more, up to 1 GiB; nil if the text is not a size. `KB` and `MB` are powers of 1000,
  /// `KiB` and `MiB` of 1024 (IEC 80000-13).
  package static func parse(_ text: String) -> Int? {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("KB", 1000), ("MB", 1_000_000), ("B", 1)]
    let unit = units.first { text.ends(withBytes: $0.0) }
    let digits = (text.dropping(suffix: unit?.0 ?? "") ?? "").trimming(anyOf: " ")
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
      (1...1 << 30).contains(number), number * (unit?.1 ?? 1) <= 1 << 30
    else { return nil }
    return number * (unit?.1 ?? 1)
  }
}
