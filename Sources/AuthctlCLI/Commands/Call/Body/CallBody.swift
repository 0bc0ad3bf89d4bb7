import AuthCore
import HTTPTypes

/// What the requests of a command line send beside their headers: data, a form, or files that are put.
struct CallBody: Sendable {
  private enum Kind: Sendable {
    case none
    case data(RequestBody)
    case query(String)
    case form(FormBody)
    case uploads([String])
  }

  private let kind: Kind
  private let context: Context
  private let isHead: Bool
  private let continuation: Continuation?

  /// Reads what there is to read.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where a file can't be read, or options ask for two methods at once.
  init(_ invocation: Invocation, _ context: Context, _ continuation: Continuation?) throws(AuthError) {
    try CallBody.checkMethods(invocation)
    self.context = context
    self.continuation = continuation
    isHead = invocation.has(CallOptions.head)
    let data = DataPieces(invocation, context)
    let uploads = invocation.values(CallOptions.uploadFile)
    if invocation.has(CallOptions.form) || invocation.has(CallOptions.formString) {
      kind = .form(try FormBody(invocation, context))
    } else if !uploads.isEmpty {
      kind = .uploads(uploads)
    } else if data.isEmpty {
      kind = .none
    } else if invocation.has(CallOptions.get) {
      kind = .query(try CallBody.query(data.content()))
    } else {
      kind = .data(try data.body())
    }
  }

  /// The method of a request where `-X` names none.
  ///
  /// - Parameter index: the request's place on the command line, from 0.
  func method(at index: Int) -> HTTPRequest.Method {
    switch kind {
    case .data, .form: .post
    case .uploads where upload(at: index) != nil: .put
    default: isHead ? .head : .get
    }
  }

  /// The address as what is sent changes it: with the query of `-G`, or the name of the file.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where that is no URL.
  func url(_ url: WebURL, at index: Int) throws(AuthError) -> WebURL {
    do {
      switch kind {
      case .query(let query): return try url.appendingEscaped(query: query)
      case .uploads:
        guard let path = upload(at: index), !CallBody.isStandardInput(path) else { return url }
        return try url.appendingName(ofFile: path)
      default: return url
      }
    } catch {
      throw .usage(
        .init("the address with what is appended to it", why: "\(error)", hint: "encode it: --data-urlencode"))
    }
  }

  /// Puts the body into a request.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where a file can't be read.
  func fill(_ transfer: inout Transfer, at index: Int) throws(AuthError) {
    switch kind {
    case .none, .query: break
    case .data(let body):
      transfer.body = body
      transfer.standardFields[.contentType] = "application/x-www-form-urlencoded"
    case .form(let form):
      try form.fill(&transfer)
    case .uploads:
      guard let path = upload(at: index) else { break }
      let isInput = CallBody.isStandardInput(path)
      let source = BodySource(isInput ? "-" : path, context)
      let body = isInput ? try source.stream() : try source.body(readingAhead: false)
      transfer.body = body
      transfer.upload = try continuation?.upload(of: body) ?? .whole
    }
    // As in curl: a request without a body doesn't say so, whatever its method.
    if transfer.body == nil { transfer.withheldFields.append(.contentLength) }
  }

  private func upload(at index: Int) -> String? {
    guard case .uploads(let paths) = kind, paths.indices.contains(index), !paths[index].isEmpty else { return nil }
    return paths[index]
  }

  private static func isStandardInput(_ path: String) -> Bool { path == "-" || path == "." }

  private static func query(_ content: [UInt8]) throws(AuthError) -> String {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw .usage(.init("-G", why: "the data is not UTF-8 text", hint: "encode it: --data-urlencode"))
    }
    return text
  }

  /// One request has one method.
  private static func checkMethods(_ invocation: Invocation) throws(AuthError) {
    let isQuery = invocation.has(CallOptions.get)
    let asked = [
      CallOptions.pieces.first { invocation.has($0) && !isQuery },
      [CallOptions.form, CallOptions.formString].first(where: invocation.has),
      CallOptions.uploadFile, CallOptions.head,
      isQuery && !invocation.has(CallOptions.head) ? CallOptions.get : nil,
    ].compactMap(\.self).filter(invocation.has)
    if asked.count > 1 {
      throw .usage(
        .init(
          "--\(asked[0].long)",
          why: "can't be combined with --\(asked[1].long): each implies a different method",
          hint: "remove one of them"))
    }
    let uploads = invocation.values(CallOptions.uploadFile).count
    if uploads > invocation.operands.count {
      throw .usage(
        .init("-T", why: "there are more files than URLs", hint: "add a URL for each file"))
    }
  }
}
