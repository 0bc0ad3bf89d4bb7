import FoundationEssentials

/// The page that the browser shows after its redirect.
struct LoopbackPage: Sendable {
  private let status: String
  private let title: String
  private let text: String

  /// The page for a response that has arrived; the terminal reports if the login succeeded.
  static let received = LoopbackPage(
    status: "200 OK", title: "Back to the terminal",
    text: "The server's response has arrived. You can close this window."
  )

  /// The page for a request without `code` and `error`, for example if the server put its error into the fragment.
  static let empty = LoopbackPage(
    status: "400 Bad Request", title: "No response in this address",
    text: "The server sent you back without a code. If it showed an error, log in again; the login is still waiting.")

  /// The page for a code or an error whose `state` is not that of the waiting login.
  static let foreign = LoopbackPage(
    status: "400 Bad Request", title: "Not the login that is running",
    text: "This response belongs to another login. authctl has ignored it and is still waiting.")

  /// The page for a request that a page sent, not the user's navigation.
  static let noNavigation = LoopbackPage(
    status: "403 Forbidden", title: "Not a login", text: "authctl accepts a server's redirect only.")

  /// The page for any other request of a browser, such as for an icon.
  static let notFound = LoopbackPage(status: "404 Not Found", title: "Nothing here", text: "The login waits elsewhere.")

  /// The page for a method that no redirect uses.
  static let methodNotAllowed = LoopbackPage(
    status: "405 Method Not Allowed", title: "Nothing here", text: "The login waits for a GET or POST.")

  /// The complete HTTP response. It contains nothing from the request and loads nothing from elsewhere.
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
