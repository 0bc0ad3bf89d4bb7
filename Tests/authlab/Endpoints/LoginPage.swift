/// The pages that a browser sees: plain HTML that works without scripts.
struct LoginPage {
  /// The handle of the request that waits.
  let handle: String
  /// That request.
  let request: AuthorizationRequest

  /// The page that asks for name, password and consent.
  func response(problem: String?) -> Response {
    let scopes = request.scope.map { "<li>\(Self.escape($0))</li>" }.joined()
    let body = """
      <h1>Log in to authlab</h1>
      \(problem.map { "<p role=\"alert\">\(Self.escape($0))</p>" } ?? "")
      <p><strong>\(Self.escape(request.clientID))</strong> asks for:</p><ul>\(scopes)</ul>
      <form method="post" action="/authorize/decide">
      <input type="hidden" name="request" value="\(handle)">
      <p><label>Name <input name="username" autocomplete="username" autofocus></label></p>
      <p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p>
      <p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
      </form>
      """
    return Self.page(200, body, outcome: problem == nil ? "authorize.page" : "authorize.wrong_password")
  }

  /// The page that asks for the user code of a device, and for name, password and consent.
  static func deviceForm(userCode: String, problem: String?) -> Response {
    let body = """
      <h1>Log a device in to authlab</h1>
      \(problem.map { "<p role=\"alert\">\(escape($0))</p>" } ?? "")
      <form method="post" action="/device">
      <p><label>Code <input name="user_code" value="\(escape(userCode))" autocomplete="off"></label></p>
      <p><label>Name <input name="username" autocomplete="username" autofocus></label></p>
      <p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p>
      <p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
      </form>
      """
    return page(200, body, outcome: problem == nil ? "device.page" : "device.wrong_password")
  }

  /// A page that says what is wrong where nothing can be redirected.
  static func failure(_ reason: String, outcome: String) -> Response {
    page(400, "<h1>This can’t go on</h1><p>\(escape(reason))</p>", outcome: outcome)
  }

  /// A page that only says something.
  static func notice(_ text: String, outcome: String) -> Response {
    page(200, "<p>\(escape(text))</p>", outcome: outcome)
  }

  /// A form that posts itself (OAuth 2.0 Form Post Response Mode, section 2).
  static func selfPostingForm(
    to uri: String, parameters: [(name: String, value: String)], outcome: String
  ) -> Response {
    let fields = parameters.map {
      "<input type=\"hidden\" name=\"\(escape($0.name))\" value=\"\(escape($0.value))\">"
    }
    let body = """
      <form method="post" action="\(escape(uri))">\(fields.joined())<button>Go on</button></form>
      <script>document.forms[0].submit()</script>
      """
    return page(200, body, outcome: outcome)
  }

  private static func page(_ status: Int, _ body: String, outcome: String) -> Response {
    let text = """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><title>authlab</title>
      <style>body{font:16px sans-serif;max-width:24em;margin:4em auto;padding:0 1em}</style>
      \(body)
      </html>

      """
    return Response(status, text: text, type: "text/html; charset=utf-8", outcome: outcome)
      .adding("Cache-Control", "no-store").adding("X-Frame-Options", "DENY")
  }

  private static func escape(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
