import HTTPTypes

extension CustomRequest {
  /// Reads one table `[requests.NAME]`.
  init(_ table: ProfileTable, base: WebURL?, origins: Set<Origin>) throws(ProfileFault) {
    try table.refuse(otherThan: ProfileKeyTable.requests.names(of: .custom))
    guard let value = table["url"] else { throw table.fault("url", "is missing", hint: "add url = \"/…\"") }
    let text = try value.text()
    url = try value.template { () throws(TextTemplate.Malformed) in
      try URLTemplate(text, base: base, origins: origins)
    }
    method = try CustomRequest.method(table)
    fields = try CustomRequest.fields(table)
    body = try CustomRequest.body(table)
    try check(table)
  }

  private static func method(_ table: ProfileTable) throws(ProfileFault) -> HTTPRequest.Method {
    guard let value = table["method"] else { return .post }
    let text = try value.text()
    guard let method = HTTPRequest.Method(rawValue: text), text == text.uppercased() else {
      throw value.fault("is not an HTTP method", hint: "use \"PUT\"")
    }
    return method
  }

  private static func fields(_ table: ProfileTable) throws(ProfileFault) -> [Field] {
    try table.table("headers").values.map { value throws(ProfileFault) in
      guard let name = HTTPField.Name(value.key), !ProfileKey.Access.framingFields.contains(name.canonicalName) else {
        throw value.fault("can't be sent as a header field", hint: "remove it, or fix its name")
      }
      _ = try value.text()
      return Field(name: name, value: try value.textTemplate())
    }
  }

  private static func body(_ table: ProfileTable) throws(ProfileFault) -> Body? {
    let forms = ["json", "form", "multipart"].filter { table.has($0) }
    guard forms.count < 2 else {
      throw ProfileFault(
        table[forms[1]]?.path ?? [], why: "'\(forms[0])' and '\(forms[1])' are both given",
        hint: "a request has one body: keep one of them")
    }
    guard let form = forms.first else { return nil }
    let fields = try table.table(form)
    switch form {
    case "json": return .json(try fields.jsonObject())
    case "form":
      return .form(
        try fields.values.map { value throws(ProfileFault) in .init(name: value.key, value: try value.textTemplate()) })
    default: return .multipart(try MultipartTemplate(fields))
    }
  }

  /// Checks the content type that a profile states. That of a form or a multipart body is fixed; JSON may have another
  /// type, such as `application/vnd.api+json`.
  private func check(_ table: ProfileTable) throws(ProfileFault) {
    guard fields.contains(where: { $0.name == .contentType }) else { return }
    if case .json = body { return }
    throw ProfileFault(
      table["headers"]?.path ?? [], why: "'Content-Type' is set by the body", hint: "remove it from headers")
  }
}
