/// The environment variables that the curl tool uses, looked up once for all transfers; an empty one counts as unset.
struct CurlVariables: Sendable {
  /// The proxy for plain HTTP. `HTTP_PROXY` in capitals is never read, as in curl: a CGI server sets it from the
  /// "Proxy:" field of a request.
  let httpProxy: String?
  /// The proxy for HTTPS.
  let httpsProxy: String?
  /// The hosts that are reached without a proxy.
  let noProxy: String?
  /// The file of certificate authorities that replaces those of the system (`CURL_CA_BUNDLE`).
  let authoritiesBundle: String?
  /// The folder of certificate authorities (`SSL_CERT_DIR`).
  let authoritiesFolder: String?
  /// The file of certificate authorities (`SSL_CERT_FILE`).
  let authoritiesFile: String?

  /// Looks the variables up in an environment.
  init(_ environment: [String: String]) {
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    httpProxy = first("http_proxy", "all_proxy", "ALL_PROXY")
    httpsProxy = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
    noProxy = first("no_proxy", "NO_PROXY")
    authoritiesBundle = first("CURL_CA_BUNDLE")
    authoritiesFolder = first("SSL_CERT_DIR")
    authoritiesFile = first("SSL_CERT_FILE")
  }
}
