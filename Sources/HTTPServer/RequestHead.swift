/// The head of a request, parsed and checked.
struct RequestHead {
  /// How the length of the body is known (RFC 9112, section 6.3).
  enum Framing: Equatable {
    /// By `Content-Length`; 0 if the request has no body.
    case length(Int64)
    /// By chunks.
    case chunked
  }

  /// The method, a token.
  let method: String
  /// The target as sent.
  let target: String
  /// Whether the version is HTTP/1.0.
  let isHTTP10: Bool
  /// The fields in order.
  let fields: [ServerRequest.Field]
  /// The framing of the body.
  let framing: Framing

  /// Parses a head.
  ///
  /// - Parameters:
  ///   - bytes: the lines of the head. Each ends with CRLF; the empty line at the end is not included.
  ///   - maximumFields: the number of fields from which on the head is too large.
  /// - Throws: the fault for which the request is refused.
  init(_ bytes: ArraySlice<UInt8>, maximumFields: Int) throws(RequestFault) {
    let line = bytes.prefix { $0 != 0x0D }
    (method, target, isHTTP10) = try RequestHead.requestLine(line)
    fields = try RequestHead.fields(bytes[line.endIndex...].dropFirst(2), maximum: maximumFields)
    try RequestHead.checkHost(fields, isHTTP10: isHTTP10)
    framing = try RequestHead.framing(fields, isHTTP10: isHTTP10)
    guard method != "CONNECT" || (framing == .length(0) && contentLength == nil) else { throw .malformed }
  }

  /// The value of `Content-Length`; nil if the request has no such field.
  var contentLength: Int64? { has("content-length") ? length : nil }

  private var length: Int64? { if case .length(let length) = framing { length } else { nil } }

  /// Whether the client accepts a further request on the connection (RFC 9112, section 9.3).
  var isKeepAlive: Bool {
    let options = RequestHead.values("connection", in: fields).flatMap(FieldSyntax.list)
    let mayGoOn = !options.contains("close") && (!isHTTP10 || options.contains("keep-alive"))  // own text
    return mayGoOn && method != "CONNECT"
  }

  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1).
  var expectsContinue: Bool {
    !isHTTP10 && framing != .length(0)
      && RequestHead.values("expect", in: fields).flatMap(FieldSyntax.list).contains("100-continue")  // own text
  }

  private func has(_ name: StaticString) -> Bool { fields.contains { FieldSyntax.isEqual($0.name, name) } }

  private static func values(_ name: StaticString, in fields: [ServerRequest.Field]) -> [String] {
    fields.compactMap { FieldSyntax.isEqual($0.name, name) ? $0.value : nil }
  }

  private static func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(RequestFault) -> (method: String, target: String, isHTTP10: Bool) {
    let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, words[0].count <= 32, FieldSyntax.isToken(words[0]) else { throw .malformed }
    let method = String(decoding: words[0], as: UTF8.self)
    let version = Array(words[2])
    guard version.count == 8, version.starts(with: "HTTP/".utf8), version[6] == 0x2E,
      FieldSyntax.isDigit(version[5]), FieldSyntax.isDigit(version[7])
    else { throw .malformed }
    guard version[5] == 0x31, version[7] <= 0x31 else { throw .unknownVersion }
    guard TargetSyntax.isTarget(words[1], method: method) else { throw .malformed }
    return (method, String(decoding: words[1], as: UTF8.self), version[7] == 0x30)
  }

  private static func fields(
    _ bytes: ArraySlice<UInt8>, maximum: Int
  ) throws(RequestFault) -> [ServerRequest.Field] {
    var fields: [ServerRequest.Field] = []
    var rest = bytes
    while !rest.isEmpty {
      guard fields.count < maximum else { throw .tooLarge }
      let line = rest.prefix { $0 != 0x0D }
      fields.append(try FieldSyntax.field(line))
      rest = rest[line.endIndex...].dropFirst(2)
    }
    return fields
  }

  private static func checkHost(_ fields: [ServerRequest.Field], isHTTP10: Bool) throws(RequestFault) {
    let hosts = values("host", in: fields)
    guard hosts.count == 1 || hosts.isEmpty && isHTTP10 else { throw .malformed }
    guard hosts.allSatisfy({ TargetSyntax.isHost($0.utf8) }) else { throw .malformed }
  }

  private static func framing(
    _ fields: [ServerRequest.Field], isHTTP10: Bool
  ) throws(RequestFault) -> Framing {
    let lengths = values("content-length", in: fields)
    let codings = values("transfer-encoding", in: fields)
    if let coding = codings.first {
      guard codings.count == 1, lengths.isEmpty, !isHTTP10, !coding.isEmpty else { throw .malformed }
      guard FieldSyntax.isEqual(coding, "chunked") else { throw .unknownCoding }
      return .chunked
    }
    guard let text = lengths.first else { return .length(0) }
    guard lengths.count == 1, (1...18).contains(text.utf8.count), text.utf8.allSatisfy(FieldSyntax.isDigit),
      let length = Int64(text)
    else { throw .malformed }
    return .length(length)
  }
}
