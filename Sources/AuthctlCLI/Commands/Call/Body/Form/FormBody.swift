import AuthCore
import HTTPTypes

/// The body of a form (RFC 7578): what is between its parts, and their contents, which are read when they are sent.
struct FormBody: Sendable {
  private let parts: [FormPart]

  /// - Throws: ``AuthError/usage(_:)`` if a file can't be read.
  init(_ options: [FormOption], _ context: Context) throws(AuthError) {
    parts = try FormParts(context).parts(options)
  }

  /// Makes the body of these parts.
  init(_ parts: [FormPart]) {
    self.parts = parts
  }

  /// Puts the form into a request, whose `Content-Type`, where it has one, says another kind of multipart.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where the request is to have no `Content-Type`.
  func fill(_ transfer: inout Transfer) throws(AuthError) {
    guard !transfer.withheldFields.contains(.contentType) else {
      throw .usage(.init("-H Content-Type:", why: "a form needs it", hint: "remove the option"))
    }
    let type = transfer.fields[.contentType] ?? "multipart/form-data"
    transfer.fields[.contentType] = nil
    var writer = FormWriter()
    let boundary = writer.write(parts, disposition: FormBody.disposition(of: type))
    transfer.body = writer.body
    transfer.standardFields[.contentType] = "\(type); boundary=\(boundary)"
  }

  /// How the parts of a multipart body introduce themselves.
  static func disposition(of type: String) -> String {
    let name = type.prefix { $0 != ";" && $0 != " " }.lowercased()
    return name == "multipart/form-data" ? "form-data" : "attachment"
  }
}
