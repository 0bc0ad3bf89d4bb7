import AuthCore
import HTTPServer
import SystemPackage

/// The needed parts of a browser's request to the redirect URI.
struct LoopbackRequest: Sendable {
  /// The path of the request.
  let path: String
  /// The fields of the query, or of the form of a POST (`response_mode=form_post`); nil for another method.
  let fields: [FormField]?

  /// Whether the browser shows the response as a page, as after a server's redirect. False if the request's
  /// `Sec-Fetch-*` fields indicate otherwise (W3C Fetch Metadata, sections 2.1 and 2.2). Absent fields are ignored.
  let isNavigation: Bool

  private static let largestForm = 64 << 10

  /// Reads a request with its form.
  ///
  /// - Throws: `Errno`; `fileTooLarge` if no browser would send such a form.
  init(_ exchange: ServerExchange) async throws(Errno) {
    let request = exchange.request
    let target = request.target.split(atAny: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(target[0])
    isNavigation =
      request.values("sec-fetch-mode").allSatisfy { $0 == "navigate" }
      && request.values("sec-fetch-dest").allSatisfy { $0 == "document" }
    switch request.method {
    case "GET": fields = FormEncoding.decode(target.count > 1 ? target[1] : "")
    case "POST":
      let (form, isWhole) = try await exchange.readBody(upTo: LoopbackRequest.largestForm)
      guard isWhole else { throw .fileTooLarge }
      fields = FormEncoding.decode(String(decoding: form, as: UTF8.self))
    default: fields = nil
    }
  }
}
