import CFuzz

/// A URL as libcurl reads it.
struct CurlURL {
  /// The host as libcurl has it: decoded, not yet translated.
  let host: String
  /// The port, the scheme's default where there is none.
  let port: Int
  /// Whether libcurl finds a user's name in it.
  let hasUser: Bool

  /// Reads a text, against a base where there is one; nil where libcurl refuses it, or it is neither http nor https.
  init?(_ text: String, base: String? = nil) {
    // C would see the text end there.
    guard !text.utf8.contains(0) else { return nil }
    var url = cfuzz_url()
    let isRead =
      if let base { unsafe cfuzz_curl_url(base, text, &url) } else { unsafe cfuzz_curl_url(nil, text, &url) }
    guard isRead == 1 else { return nil }
    host = unsafe withUnsafeBytes(of: url.host) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    port = Int(url.port)
    hasUser = url.has_user == 1
  }
}
