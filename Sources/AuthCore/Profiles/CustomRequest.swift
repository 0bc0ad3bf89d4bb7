package import HTTPTypes

/// A request that a profile describes: `[requests.NAME]`.
package struct CustomRequest: Sendable, Equatable {
  /// A header field with placeholders.
  struct Field: Sendable, Equatable {
    let name: HTTPField.Name
    let value: TextTemplate
  }

  /// The body of a request.
  enum Body: Sendable, Equatable {
    /// `application/json`
    case json(JSONTemplate)
    /// `application/x-www-form-urlencoded`, in the order of the names.
    case form([FormField])
    /// `multipart/form-data`
    case multipart(MultipartTemplate)

    /// One field of a form.
    struct FormField: Sendable, Equatable {
      let name: String
      let value: TextTemplate
    }
  }

  /// The method; POST unless the profile states another one.
  package let method: HTTPRequest.Method
  /// The URL.
  let url: URLTemplate
  /// Additional header fields.
  let fields: [Field]
  /// The body; nil if there is none.
  var body: Body?

  /// The origin to which the request is sent.
  package var origin: Origin { url.origin }

  /// The placeholders, each name once; a value is required if any placeholder with its name requires it.
  package var placeholders: [Placeholder] {
    var all = url.placeholders + fields.flatMap(\.value.placeholders)
    switch body {
    case .json(let template): all += template.placeholders
    case .form(let fields): all += fields.flatMap(\.value.placeholders)
    case .multipart(let template): all += template.placeholders
    case nil: break
    }
    var seen: Set<String> = []
    return (all.filter { !$0.isOptional } + all).filter { seen.insert($0.name).inserted }
  }

  /// Returns the request with the values in place of the placeholders.
  ///
  /// - Throws: ``AuthError`` if a value is missing or can't be sent in its place.
  func filled(
    _ values: RequestValues, imageFitting: @Sendable () -> any ImageFitting = { NoImageFitting() }
  ) async throws(AuthError) -> Transfer {
    var transfer = Transfer(method: method, url: try url.filled(values))
    transfer.fields[.accept] = "application/json"
    switch body {
    case .json(let template):
      transfer.fields[.contentType] = "application/json"
      let document = try template.filled(values) ?? .null
      transfer.bodyValues = document.bodyValues
      transfer.body = .bytes(try CustomRequest.encoded(document))
    case .form(let fields):
      var form: [(name: String, value: String)] = []
      for field in fields { if let value = try field.value.filled(values) { form.append((field.name, value)) } }
      transfer.fields[.contentType] = "application/x-www-form-urlencoded"
      transfer.bodyValues = form.map { BodyValue(path: $0.name, value: .string($0.value)) }
      transfer.body = .bytes(Array(FormEncoding.encode(form).utf8))
    case .multipart(let template):
      let parts = try await template.filled(values, imageFitting: imageFitting)
      transfer.bodyValues = parts.map(\.bodyValue)
      let body = MultipartBody(parts)
      transfer.fields[.contentType] = body.contentType
      transfer.body = .bytes(body.bytes)
    case nil: break
    }
    try fill(&transfer.fields, values)
    return transfer
  }

  private func fill(_ header: inout HTTPFields, _ values: RequestValues) throws(AuthError) {
    for field in fields {
      guard let value = try field.value.filled(values) else { continue }
      guard HTTPField.isValidValue(value) else {
        throw .usage(
          "the header \(field.name.rawName)", why: "a value contains a line end or control character",
          hint: "use a value without line ends")
      }
      header[field.name] = value
    }
  }

  private static func encoded(_ document: JSONValue) throws(AuthError) -> [UInt8] {
    do {
      return Array(try document.text().utf8)
    } catch {
      throw .usage(
        "the JSON of a request", why: "it contains a number that JSON can't represent",
        hint: "fix json in the profile")
    }
  }
}

extension MultipartBody.Part {
  /// The part for a log: a text, or the size of a file.
  fileprivate var bodyValue: BodyValue {
    guard fileName == nil else { return BodyValue(path: name, value: .integer(Int64(content.count)), kind: .file) }
    return BodyValue(path: name, value: .string(String(decoding: content, as: UTF8.self)))
  }
}

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
