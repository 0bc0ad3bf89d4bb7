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
