/// The values for the placeholders of a request. Any of them may be a secret, so none is ever printed.
package struct RequestValues: Sendable {
  /// One value.
  package enum Value: Sendable, Equatable {
    /// A text.
    case text(Secret)
    /// The content of a file, and its name without the folder.
    case file(name: String, content: [UInt8])
  }

  private var values: [String: Value] = [:]

  /// Creates a collection without values.
  package init() {}

  /// The names of the placeholders that have a value.
  var names: [String] { Array(values.keys) }

  /// The value of a placeholder.
  package subscript(_ name: String) -> Value? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// Creates the values of a stored pair, for a refresh or a revocation.
  init(_ pair: TokenPair) {
    values["access_token"] = .text(pair.accessToken)
    values["refresh_token"] = pair.refreshToken.map { .text($0) }
  }

  /// Returns the text for a placeholder; nil if it is optional and absent.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it is required and absent, or is a file.
  func text(_ placeholder: Placeholder) throws(AuthError) -> String? {
    switch values[placeholder.name] {
    case .text(let text): return text.exposed
    case .file: throw RequestValues.wrong(placeholder, "it is a file, but a text is needed")
    case nil:
      guard placeholder.isOptional else { throw RequestValues.wrong(placeholder, "it is missing") }
      return nil
    }
  }

  /// Returns the file for a placeholder; nil if it is optional and absent.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it is required and absent, or is not a file.
  func file(_ placeholder: Placeholder) throws(AuthError) -> (name: String, content: [UInt8])? {
    switch values[placeholder.name] {
    case .file(let name, let content): return (name, content)
    case .text: throw RequestValues.wrong(placeholder, "it is a text, but a file is needed")
    case nil:
      guard placeholder.isOptional else { throw RequestValues.wrong(placeholder, "it is missing") }
      return nil
    }
  }

  /// Creates the error for a placeholder whose value can't be used.
  static func wrong(_ placeholder: Placeholder, _ why: String) -> AuthError {
    .usage(
      "the field \(placeholder.name)", why: why,
      remedy: .giveField(name: placeholder.name, isFile: placeholder.isFile))
  }
}
