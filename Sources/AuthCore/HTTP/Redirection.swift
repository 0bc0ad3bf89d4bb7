public import HTTPTypes

/// Where a redirect leads and as what kind of request (RFC 9110, section 15.4).
public struct Redirection: Sendable {
  /// The statuses that redirect where a `Location` goes with them; 300 is the server's choice, which may be followed
  /// (section 15.4.1).
  public static let statuses: Set<Int> = [300, 301, 302, 303, 307, 308]

  /// The new address.
  public let url: WebURL
  /// Whether the request goes on without its body, and as a GET where the person has named no method: after 303, and
  /// after 301 and 302 for a form.
  public let becomesGet: Bool

  /// Reads the redirect of an answer; nil where it is none.
  ///
  /// - Parameter isForm: whether the request counts as a POST after 301 and 302, which does not depend on its method's
  ///   name alone.
  /// - Throws: ``WebURL/Invalid`` where `Location` is no usable URL.
  public init?(_ answer: HTTPAnswer, from url: WebURL, method: HTTPRequest.Method, isForm: Bool)
    throws(WebURL.Invalid)
  {
    guard Redirection.statuses.contains(answer.status), let location = answer.fields[.location] else { return nil }
    self.url = try url.resolving(location)
    switch answer.status {
    case 303: becomesGet = method != .head
    case 301, 302: becomesGet = isForm
    default: becomesGet = false
    }
  }
}
