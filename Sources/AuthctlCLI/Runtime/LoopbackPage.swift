import FoundationEssentials

/// What the browser shows after its redirect.
struct LoopbackPage: Sendable {
  private let status: String
  private let title: String
  private let text: String

  /// The response has come; whether it is a good one is told at the terminal.
  static let received = LoopbackPage(
    status: "200 OK", title: "Back to the terminal",
    text: "The server's response has arrived. You can close this window."
  )

  /// A hit without `code` and `error`, such as when the server put its error into the fragment.
  static let empty = LoopbackPage(
    status: "400 Bad Request", title: "No response in this address",
    text: "The server sent you back without a code. If it showed an error, log in again; the login is still waiting.")

  /// A code or an error with another `state` than that of the login that waits.
  static let foreign = LoopbackPage(
    status: "400 Bad Request", title: "Not the login that is running",
    text: "This response belongs to another login. authctl has ignored it and is still waiting.")

  /// A request by a page, not by the person's navigation.
  static let noNavigation = LoopbackPage(
    status: "403 Forbidden", title: "Not a login", text: "authctl accepts a server's redirect only.")

  /// Anything else that browsers ask for, such as an icon.
  static let notFound = LoopbackPage(status: "404 Not Found", title: "Nothing here", text: "The login waits elsewhere.")

  /// A method that no redirect uses.
  static let methodNotAllowed = LoopbackPage(
    status: "405 Method Not Allowed", title: "Nothing here", text: "The login waits for a GET or POST.")

  /// The whole HTTP answer. Nothing of the request is in it, and nothing is loaded from elsewhere.
  var response: Data {
    let page = """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>\(title)</title>
      <meta name="viewport" content="width=device-width"><style>body{font:1.1em sans-serif;margin:20vh auto;\
      max-width:30em;padding:0 1em;text-align:center}</style><h1>\(title)</h1><p>\(text)</p></html>
      """
    let header = """
      HTTP/1.1 \(status)\r
      Content-Type: text/html; charset=utf-8\r
      Content-Length: \(page.utf8.count)\r
      Cache-Control: no-store\r
      Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r
      Referrer-Policy: no-referrer\r
      Connection: close\r
      \r

      """
    return Data((header + page).utf8)
  }
}
