extension ProfileValue {
  /// Creates a template of this value.
  func template<Template>(_ make: () throws(TextTemplate.Malformed) -> Template) throws(ProfileFault) -> Template {
    do {
      return try make()
    } catch {
      throw fault(error.reason, hint: "a placeholder is {name} or {name?}; braces themselves are {{ and }}")
    }
  }

  /// Reads a text with placeholders.
  func textTemplate() throws(ProfileFault) -> TextTemplate {
    guard let text = content.string else { throw illTyped(wants: "a string", example: "\"{…}\"") }
    return try template { () throws(TextTemplate.Malformed) in try TextTemplate(text) }
  }

  /// Reads JSON with placeholders in its strings.
  func jsonTemplate() throws(ProfileFault) -> JSONTemplate {
    switch content {
    case .string: return .string(try textTemplate())
    case .integer, .number, .bool: return .literal(content)
    case .array(let elements):
      return .array(
        try elements.map { element throws(ProfileFault) in
          try ProfileValue(path: path, content: element).jsonTemplate()
        })
    case .object(let members):
      var templates: [String: JSONTemplate] = [:]
      for (name, member) in members {
        templates[name] = try ProfileValue(path: path, content: member).jsonTemplate()
      }
      return .object(templates)
    case .null: throw fault("is a date, which JSON does not have", hint: "write it as a string: \"…\"")
    }
  }
}

extension ProfileTable {
  /// Reads this table as a JSON object with placeholders.
  func jsonObject() throws(ProfileFault) -> JSONTemplate {
    var members: [String: JSONTemplate] = [:]
    for value in values { members[value.key] = try value.jsonTemplate() }
    return .object(members)
  }
}
