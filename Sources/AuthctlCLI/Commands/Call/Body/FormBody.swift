import AuthCore
import HTTPTypes

/// The body of a form (RFC 7578): its parts, whose contents are read when they are sent.
struct FormBody: Sendable {
  private let parts: [FormPart]

  /// - Throws: ``AuthError/usage(_:)`` if a file can't be read.
  init(_ options: [FormOption], _ context: Context) throws(AuthError) {
    parts = try FormParts(context).parts(options)
  }

  /// Creates a body from these parts.
  init(_ parts: [FormPart]) {
    self.parts = parts
  }

  /// Puts the form into a request. A `Content-Type` of the request replaces `multipart/form-data`.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the `Content-Type` of the request is removed.
  func fill(_ transfer: inout Transfer) throws(AuthError) {
    guard !transfer.withheldFields.contains(.contentType) else {
      throw .usage("-H Content-Type:", why: "a form needs it", hint: "remove the option")
    }
    let type = transfer.fields[.contentType] ?? "multipart/form-data"
    transfer.fields[.contentType] = nil
    var writer = FormWriter()
    let boundary = writer.write(parts, disposition: FormBody.disposition(of: type))
    transfer.body = writer.body
    transfer.standardFields[.contentType] = "\(type); boundary=\(boundary)"
  }

  /// Returns the disposition type of the parts of a multipart body.
  static func disposition(of type: String) -> String {
    let name = type.prefix(upToAny: "; ").lowercased()
    return name == "multipart/form-data" ? "form-data" : "attachment"
  }
}
