@testable import AuthCore

/// A text read as a URL: what the token's origin is decided by is what libcurl connects to.
enum URLTarget: FuzzTarget {
  static let name = "url"

  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      let url = try WebURL(text)
      checkForm(url)
      checkSameOrigin(url, CurlURL(text), text)
    } catch {
      requireShowable(error.description)
    }
  }

  /// Requires of a URL that it is in its one form, in which it is the same to libcurl.
  static func checkForm(_ url: WebURL) {
    let text = url.string
    require(text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "visible ASCII: \(text.debugDescription)")
    require((try? WebURL(text)) == url, "what is written is read again: \(text)")
    require((try? WebURL(url.origin.string))?.origin == url.origin, "the origin alone is the same origin: \(text)")
    require(!url.description.contains("?"), "no query in a description: \(text)")
    require(url.path + (url.query.map { "?" + $0 } ?? "") == url.pathAndQuery, "path and query: \(text)")
    if let curl = CurlURL(text) {
      require(curl.host == url.origin.host, "libcurl's host \(curl.host): \(text)")
      require(curl.port == url.origin.port && !curl.hasUser, "libcurl's port \(curl.port): \(text)")
    } else {
      // It knows a few paths and ports that it won't have, but then it connects nowhere.
      require(CurlURL(url.origin.string) != nil, "libcurl takes the origin: \(text)")
    }
    let appended = url.appendingQuery([("a", "b&=\u{1}ü")])
    require((try? WebURL(appended.string)) == appended, "a query can be appended: \(text)")
  }

  /// Requires that libcurl, where it takes the text as it was typed, would not have gone somewhere else.
  static func checkSameOrigin(_ url: WebURL, _ curl: CurlURL?, _ text: String) {
    guard let curl else { return }
    require(!curl.hasUser, "libcurl finds a user: \(text.debugDescription)")
    require(
      (try? HostName.canonical(curl.host)) == url.origin.host || "\(curl.host)" == url.origin.host
        || sameAddress(curl.host, url.origin.host),
      "libcurl's host \(curl.host) and ours \(url.origin.host): \(text.debugDescription)")
    require(curl.port == url.origin.port, "libcurl's port \(curl.port) and ours: \(text.debugDescription)")
  }

  private static func sameAddress(_ one: String, _ other: String) -> Bool {
    let addresses = [one, other].map { IPv6Address(String($0.dropFirst().dropLast())) }
    return one.hasPrefix("[") && addresses[0] != nil && addresses[0] == addresses[1]
  }
}
