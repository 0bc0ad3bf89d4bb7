/// A variable of `-w`, with curl's name for it.
enum WriteOutVariable: String, Sendable, CaseIterable {
  case certs
  case contentType = "content_type"
  case errorMessage = "errormsg"
  case exitCode = "exitcode"
  case effectiveFileName = "filename_effective"
  case headerJSON = "header_json"
  case httpCode = "http_code"
  case httpConnect = "http_connect"
  case httpVersion = "http_version"
  case json
  case localIP = "local_ip"
  case localPort = "local_port"
  case method
  case certificateCount = "num_certs"
  case connectCount = "num_connects"
  case headerCount = "num_headers"
  case redirectCount = "num_redirects"
  case onError = "onerror"
  case proxyVerifyResult = "proxy_ssl_verify_result"
  case redirectURL = "redirect_url"
  case referer
  case remoteIP = "remote_ip"
  case remotePort = "remote_port"
  case responseCode = "response_code"
  case scheme
  case downloadSize = "size_download"
  case headerSize = "size_header"
  case requestSize = "size_request"
  case uploadSize = "size_upload"
  case downloadSpeed = "speed_download"
  case uploadSpeed = "speed_upload"
  case verifyResult = "ssl_verify_result"
  case standardError = "stderr"
  case standardOutput = "stdout"
  case appConnectTime = "time_appconnect"
  case connectTime = "time_connect"
  case nameLookupTime = "time_namelookup"
  case preTransferTime = "time_pretransfer"
  case redirectTime = "time_redirect"
  case startTransferTime = "time_starttransfer"
  case totalTime = "time_total"
  case url
  case effectiveURL = "url_effective"
  case urlNumber = "urlnum"

  /// Finds a variable by its name, ignoring case.
  init?(named name: some StringProtocol) { self.init(rawValue: name.lowercased()) }

  /// Whether the value needs the server's certificates.
  var needsCertificates: Bool { [.certs, .certificateCount, .json].contains(self) }
}
