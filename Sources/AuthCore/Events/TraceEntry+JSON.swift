import FoundationEssentials

extension TraceEntry {
  /// The entry as an object for programs: the members common to all steps, and those of its own.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "number": .integer(Int64(number)), "time": .string(time.rfc3339WithMilliseconds),
      "offset_ms": .milliseconds(offset * 1000),
      "process": .integer(Int64(process)), "background": .bool(isInBackground),
    ]
    switch step {
    case .note(let text): members["note"] = .string(text)
    case .visit(let visit):
      members["note"] = .string(visit.note)
      guard !visit.isReturn else { break }
      members["authorization_request"] = .object([
        "url": .string(visit.url), "parameters": TraceExchange.json(visit.fields),
      ])
    case .event(let event):
      let (name, details) = event.encoded
      members["event"] = .string(name)
      members["text"] = .string("\(event)")
      members["details"] = details
    case .exchange(let exchange): members.merge(exchange.json) { $1 }
    }
    return .object(members)
  }
}

extension TraceExchange {
  /// The members of the object.
  fileprivate var json: [String: JSONValue] {
    var request: [String: JSONValue] = [
      "method": .string(method), "url": .string(url), "headers": TraceExchange.json(requestFields),
    ]
    if let requestBody { request["body"] = requestBody.json }
    var members: [String: JSONValue] = [
      "role": .string(role.rawValue), "request": .object(request), "timings_ms": timings.json,
    ]
    if status > 0 {
      var response: [String: JSONValue] = [
        "status": .integer(Int64(status)), "http_version": .string(httpVersion),
        "headers": TraceExchange.json(responseFields),
      ]
      if let responseBody { response["body"] = responseBody.json }
      members["response"] = .object(response)
    }
    if let remote { members["remote"] = .string(remote) }
    if let failure { members["failure"] = .string(failure) }
    return members
  }

  fileprivate static func json(_ fields: [Field]) -> JSONValue {
    .array(fields.map { .array([.string($0.name), .string($0.value)]) })
  }
}

extension TraceExchange.Body {
  /// The body as an object.
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["media_type": .string(mediaType), "cut": .bool(isCut)]
    if let size { members["size"] = .integer(size) }
    if let text { members["text"] = .string(text) }
    return .object(members)
  }
}

extension TraceExchange.Timings {
  /// The phases that took place, as an object.
  fileprivate var json: JSONValue {
    let phases = [
      ("dns", dns), ("connect", connect), ("tls", tls), ("wait", wait), ("receive", receive), ("total", total),
    ]
    return .object(
      Dictionary(uniqueKeysWithValues: phases.compactMap { name, value in value.map { (name, .milliseconds($0)) } }))
  }
}

extension AuthEvent {
  /// The encoded name in snake case, as `refresh_failed`, and the values; `text` is the value without a name.
  fileprivate var encoded: (name: String, details: JSONValue) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.keyEncodingStrategy = .convertToSnakeCase
    // An event consists of texts, numbers and dates: encoding can't fail.
    guard let data = try? encoder.encode(self), case .object(let members)? = try? JSONValue(parsing: data),
      let member = members.first
    else { return ("", .object([:])) }
    guard case .object(let values) = member.value, let text = values["_0"] else { return (member.key, member.value) }
    return (member.key, .object(["text": text]))
  }
}
