import AuthCore
import HTTPServer

/// A page that the browser shows after its redirect.
struct LoopbackPage: Sendable {
  /// The sign above the title.
  private enum Sign: String {
    case success, failure, none
  }

  /// The status of the response.
  let status: Int
  private var sign = Sign.none
  private let title: String
  private let text: String
  /// The next step for the user.
  private var advice: String?
  /// Text from the server, shown as a quotation.
  private var quotation: String?

  /// Returns the page for a login that has succeeded.
  ///
  /// - Parameter subject: the user's name at the server; nil if unknown.
  static func loggedIn(to profile: String, as subject: String?) -> LoopbackPage {
    let who = subject.map { Escaped.text($0, limit: 100) + " is" } ?? "You are"
    return LoopbackPage(
      status: 200, sign: .success, title: "Logged in",
      text: "\(who) logged in to profile \(profile).",
      advice: "You can close this window and go back to the terminal.")
  }

  /// Returns the page for a login that has failed, with the reason.
  static func failed(_ error: AuthError, profile: String) -> LoopbackPage {
    let isDenied = error.explanation.serverError == "access_denied"
    return LoopbackPage(
      status: 200, sign: .failure, title: isDenied ? "Login denied" : "Login failed",
      text: "The login to profile \(profile) failed.",
      advice: "The terminal shows what to do next. You can close this window.",
      quotation: Escaped.text(error.explanation.why, limit: 1000))
  }

  /// The page for a login that takes longer than a browser should wait.
  static let late = LoopbackPage(
    status: 200, title: "See the terminal",
    text: "The server's response has arrived, but the login is not finished yet.",
    advice: "The terminal shows the result. You can close this window.")

  /// The page for a request without `code` and `error`, for example if the server put its error into the fragment.
  static let empty = LoopbackPage(
    status: 400, title: "No response in this address",
    text: "The server sent you back without a code. If it showed an error, log in again; the login is still waiting.")

  /// The page for a code or an error whose `state` is not that of the waiting login.
  static let foreign = LoopbackPage(
    status: 400, title: "Not the login that is running",
    text: "This response belongs to another login. It was ignored.")

  /// The page for a code or an error without `state`, which any page on the web can send.
  static let stateless = LoopbackPage(
    status: 400, title: "No proof that this is your login",
    text: "This response has no state, so it was ignored.",
    advice: "If the server has refused your login, end it in the terminal with Ctrl-C.")

  /// The page for a request that a page sent, not the user's navigation.
  static let noNavigation = LoopbackPage(
    status: 403, title: "Not a login", text: "Only a redirect from the authorization server is accepted.")

  /// The page for any other request of a browser, such as for an icon.
  static let notFound = LoopbackPage(status: 404, title: "Nothing here", text: "The login waits elsewhere.")

  /// The page for a method that no redirect uses.
  static let methodNotAllowed = LoopbackPage(
    status: 405, title: "Nothing here", text: "The login waits for a GET or POST.")

  /// Sends the page. A browser that has gone away does not change the login's outcome.
  func send(to exchange: ServerExchange) {
    let (fields, body) = response
    exchange.respond(status: status, fields: fields, body: body)
  }

  /// A response with the page. It has no script and loads nothing: the icon is empty, the only style is its own.
  var response: (fields: [ServerRequest.Field], body: [UInt8]) {
    let nonce = SystemRandomText.make()
    let policy =
      "default-src 'none'; style-src 'nonce-\(nonce)'; img-src data:; base-uri 'none'; form-action 'none'; "
      + "frame-ancestors 'none'"
    return (
      [
        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
        ("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"), ("Connection", "close"),
      ], Array(html(nonce: nonce).utf8)
    )
  }

  private func html(nonce: String) -> String {
    let quotation = quotation.map { "<blockquote>\(HTML.text($0))</blockquote>\n" } ?? ""
    let advice = advice.map { "<p class=\"advice\">\(HTML.text($0))</p>\n" } ?? ""
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <title>\(HTML.text(title))</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <link rel="icon" href="data:,">
      <style nonce="\(nonce)">\(String(decoding: PackageResources.loopback_css, as: UTF8.self))</style>
      <main class="\(sign.rawValue)">
      \(LoopbackPage.drawing(sign))<h1>\(HTML.text(title))</h1>
      \(quotation)<p>\(HTML.text(text))</p>
      \(advice)</main>
      </html>

      """
  }

  /// Returns the sign as a drawing, which the style colours.
  private static func drawing(_ sign: Sign) -> String {
    let path: String
    switch sign {
    case .success: path = "M7 12.5l3.5 3.5L17 9"
    case .failure: path = "M8 8l8 8M16 8l-8 8"
    case .none: return ""
    }
    return
      "<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><circle cx=\"12\" cy=\"12\" r=\"10\"/>"
      + "<path d=\"\(path)\"/></svg>\n"
  }
}
