import AuthCore
import HTTPTypes

/// The content that a request of a command line sends after its header.
enum CallBody: Sendable {
  /// No content.
  case none
  /// Data, as a web form sends it.
  case data(RequestBody)
  /// No content; data is appended to the URL's query (`-G`).
  case query(String)
  /// A form.
  case form(FormBody)
  /// A file that is uploaded; `-` and `.` are standard input.
  case upload(String)

  /// Reads the content that all requests of a command line share.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a file can't be read.
  init(_ arguments: BodyArguments, _ context: Context) throws(AuthError) {
    switch arguments {
    case .none: self = .none
    case .data(let pieces): self = .data(try DataPiece.body(pieces, context))
    case .form(let options): self = .form(try FormBody(options, context))
    case .query(let pieces):
      guard let text = String(validating: try DataPiece.content(pieces, context), as: UTF8.self) else {
        throw .usage("-G", why: "the data is not UTF-8 text", hint: "encode it: --data-urlencode")
      }
      self = .query(text)
    }
  }

  /// Returns the address with the query of `-G`, or with the name of the uploaded file.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the result is no URL.
  func url(_ url: WebURL) throws(AuthError) -> WebURL {
    do {
      switch self {
      case .query(let query): return try url.appendingEscaped(query: query)
      case .upload(let path) where !CallBody.isStandardInput(path): return try url.appendingName(ofFile: path)
      default: return url
      }
    } catch {
      throw .usage("the address with what is appended to it", why: "\(error)", hint: "encode it: --data-urlencode")
    }
  }

  /// Sets the body of a request.
  ///
  /// - Parameter continuation: the position at which an interrupted upload continues.
  /// - Throws: ``AuthError/usage(_:)`` if a file can't be read.
  func fill(_ transfer: inout Transfer, _ continuation: Continuation?, _ context: Context) throws(AuthError) {
    switch self {
    case .none, .query: break
    case .data(let body):
      transfer.body = body
      transfer.standardFields[.contentType] = "application/x-www-form-urlencoded"
    case .form(let form):
      try form.fill(&transfer)
    case .upload(let path):
      let isInput = CallBody.isStandardInput(path)
      let source = BodySource(isInput ? "-" : path, of: "-T", context)
      let body = isInput ? try source.stream() : try source.body(readingAhead: false)
      transfer.body = body
      transfer.upload = try continuation?.upload(of: body) ?? .whole
    }
    // As in curl: a request without a body has no Content-Length, whatever its method.
    if transfer.body == nil { transfer.withheldFields.append(.contentLength) }
  }

  private static func isStandardInput(_ path: String) -> Bool { path == "-" || path == "." }
}

extension WebURL {
  /// Returns the URL with more text in its query (`-G`). As in curl, percent-encodings become lower case.
  ///
  /// - Throws: ``WebURL/Invalid``.
  func appendingEscaped(query more: String) throws(Invalid) -> WebURL {
    let old = query ?? ""
    let separator = old.isEmpty || old.ends(withBytes: "&") ? "" : "&"
    let query = old + separator + FormEncoding.loweringEscapes(more)
    return try WebURL(origin.string + path + (query.isEmpty ? "" : "?" + query))
  }

  /// Returns the URL, with a file's encoded name appended if it ends in a slash (`-T`).
  ///
  /// - Throws: ``WebURL/Invalid``.
  func appendingName(ofFile file: String) throws(Invalid) -> WebURL {
    guard path.ends(withBytes: "/") else { return self }
    // As in curl: the text after the last slash, and after the last backslash in that.
    let name = file.split(atAny: "/", omittingEmptySubsequences: false).last ?? ""
    let last = name.split(atAny: "\\", omittingEmptySubsequences: false).last ?? ""
    let path = FormEncoding.loweringEscapes(path + FormEncoding.percentEncode(String(last)))
    return try WebURL(origin.string + path + (query.map { "?" + $0 } ?? ""))
  }
}
