import HTTPTypes
import TOMLKit

extension CustomRequest {
  /// Reads one table `[requests.NAME]`.
  ///
  /// - Throws: ``AuthError/usage(_:)`` with the place in the file.
  init(_ table: ProfileTable, base: WebURL?, origins: Set<Origin>) throws(AuthError) {
    guard let text = try table.string("url") else {
      throw table.error("url", "'url' is missing", hint: "add url = \"/…\"")
    }
    url = try table.template("url") { () throws(TextTemplate.Malformed) in
      try URLTemplate(text, base: base, origins: origins)
    }
    method = try CustomRequest.method(table)
    fields = try CustomRequest.fields(table)
    body = try CustomRequest.body(table)
    try table.refuseTheRest()
    try check(table)
  }

  private static func method(_ table: ProfileTable) throws(AuthError) -> HTTPRequest.Method {
    guard let text = try table.string("method") else { return .post }
    guard let method = HTTPRequest.Method(rawValue: text), text == text.uppercased() else {
      throw table.error("method", "'method' is not an HTTP method", hint: "use \"PUT\"")
    }
    return method
  }

  private static func fields(_ table: ProfileTable) throws(AuthError) -> [Field] {
    let headers = try table.table("headers")
    let framing = ["host", "content-length", "transfer-encoding", "connection", "te", "trailer", "upgrade", "expect"]
    var fields: [Field] = []
    for key in headers.keys {
      guard let name = HTTPField.Name(key), !framing.contains(name.canonicalName) else {
        throw headers.error(
          key, "'\(Escaped.text(key))' can't be sent as a header field", hint: "remove it, or fix its name")
      }
      let text = try headers.string(key) ?? ""
      let value = try headers.template(key) { () throws(TextTemplate.Malformed) in try TextTemplate(text) }
      fields.append(Field(name: name, value: value))
    }
    return fields
  }

  private static func body(_ table: ProfileTable) throws(AuthError) -> Body? {
    let forms = ["json", "form", "multipart"].filter { table.has($0) }
    if forms.count > 1 {
      throw table.error(
        forms[1], "'\(forms[0])' and '\(forms[1])' are both given", hint: "a request has one body: keep one of them")
    }
    switch forms.first {
    case "json":
      let members = try table.table("json")
      return .json(try members.jsonObject())
    case "form":
      let entries = try table.table("form")
      var fields: [Body.FormField] = []
      for key in entries.keys { fields.append(.init(name: key, value: try entries.textTemplate(key))) }
      return .form(fields)
    case "multipart":
      return .multipart(try MultipartTemplate(table.table("multipart")))
    default:
      // Named so that a key that is near to one of them is found.
      for form in ["json", "form", "multipart"] { _ = table.value(form) }
      return nil
    }
  }

  /// The framing of a form or a multipart body is ours; JSON may go by another name, such as
  /// `application/vnd.api+json`.
  private func check(_ table: ProfileTable) throws(AuthError) {
    guard fields.contains(where: { $0.name == .contentType }) else { return }
    if case .json = body { return }
    throw table.error("headers", "'Content-Type' is set by the body", hint: "remove it from headers")
  }
}
