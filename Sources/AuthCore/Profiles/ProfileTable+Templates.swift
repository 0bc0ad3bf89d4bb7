import TOMLKit

extension ProfileTable {
  /// Makes a template, and names the key where it can't be made.
  func template<Template>(
    _ key: String, _ make: () throws(TextTemplate.Malformed) -> Template
  ) throws(AuthError) -> Template {
    do {
      return try make()
    } catch {
      throw self.error(
        key, "'\(key)' \(error.reason)", hint: "a placeholder is {name} or {name?}; braces themselves are {{ and }}")
    }
  }

  /// A text with places for values.
  func textTemplate(_ key: String) throws(AuthError) -> TextTemplate {
    guard let text = value(key)?.string else { throw illTyped(key, wants: "a string", example: "\"{…}\"") }
    return try template(key) { () throws(TextTemplate.Malformed) in try TextTemplate(text) }
  }

  /// All of this table as a JSON object.
  func jsonObject() throws(AuthError) -> JSONTemplate {
    var members: [String: JSONTemplate] = [:]
    for key in keys { if let value = value(key) { members[key] = try jsonTemplate(value, key: key) } }
    return .object(members)
  }

  private func jsonTemplate(_ value: any TOMLValueConvertible, key: String) throws(AuthError) -> JSONTemplate {
    switch value.type {
    case .string:
      let text = value.string ?? ""
      return .string(try template(key) { () throws(TextTemplate.Malformed) in try TextTemplate(text) })
    case .int: return .literal(.integer(Int64(value.int ?? 0)))
    case .double: return .literal(.number(value.double ?? 0))
    case .bool: return .literal(.bool(value.bool ?? false))
    case .array:
      var elements: [JSONTemplate] = []
      for element in value.array ?? TOMLArray() { elements.append(try jsonTemplate(element, key: key)) }
      return .array(elements)
    case .table:
      var members: [String: JSONTemplate] = [:]
      let table = value.table ?? TOMLTable()
      for name in table.keys { if let member = table[name] { members[name] = try jsonTemplate(member, key: key) } }
      return .object(members)
    case .date, .time, .dateTime:
      throw error(key, "'\(key)' is a date, which JSON does not have", hint: "write it as a string: \"…\"")
    }
  }
}
