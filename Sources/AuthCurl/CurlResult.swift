import AuthCore
import CAuthCurl

/// The result of a transfer, as reported by libcurl.
struct CurlResult {
  /// libcurl's code.
  var code: CURLcode
  /// libcurl's error message; empty if it has none.
  var detail: String
  /// The status of the proxy's response to CONNECT; 0 if no CONNECT was sent.
  var connectStatus = 0
  /// Whether the transfer had begun, so that a wrong argument of one of libcurl's functions is the response's fault.
  var hasBegun = false
  /// libcurl's data about the transfer, if requested.
  var report: TransferReport?

  /// Whether libcurl reports success.
  var isSuccess: Bool { code == CURLE_OK }

  /// Whether libcurl's message of a timeout means that there was no connection yet.
  private var isWithoutConnection: Bool {
    ["Connection timed out", "Connection timeout", "Resolving timed out", "SSL connection timeout"]
      .contains { detail.starts(withBytes: $0) }
  }

  /// Converts the failure into a transport error, grouped by what the caller does next.
  func error(host: String) -> TransportError {
    let text = detail.contains(host) ? detail : "\(host): \(detail)"
    // libcurl's own limit, which a long line can exceed before ours.
    guard !detail.starts(withBytes: "Too large response headers") else {
      return .headerTooLarge(limit: ResponseReader.headerLimit)
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      return .unresolved(host: host, detail: detail)
    case CURLE_COULDNT_RESOLVE_PROXY:
      return .unresolved(host: "the proxy", detail: detail)
    case CURLE_COULDNT_CONNECT, CURLE_PROXY:
      return .unreachable(detail: text)
    case CURLE_OPERATION_TIMEDOUT where isWithoutConnection:
      return .unreachable(detail: text)
    case CURLE_OPERATION_TIMEDOUT:
      return .timedOut(detail: text)
    // OpenSSL's words for a response that is not TLS.
    case CURLE_SSL_CONNECT_ERROR where detail.contains(bytes: "wrong version number"):
      return .unreachable(detail: "\(host): the port does not speak TLS; it may speak plain http")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
      return .tls(detail: text)
    case CURLE_BAD_FUNCTION_ARGUMENT where hasBegun:
      // libcurl's code for a line without a colon, which it leaves without a text.
      return .broken(detail: "\(host): the response has a malformed header or trailer field")
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_FAILED_INIT, CURLE_URL_MALFORMAT,
      CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION, CURLE_BAD_FUNCTION_ARGUMENT:
      return .unusable(detail: detail)
    case CURLE_OUT_OF_MEMORY:
      // libcurl reports a line that exceeds its limit with this code.
      return .broken(detail: "\(host): the response has a header line that is too long")
    default:
      guard !detail.contains(bytes: "HTTP/0.9") else {
        return .broken(detail: "\(host): the response is not HTTP; the port may speak https")
      }
      // If a proxy refuses the tunnel, the server was not reached; libcurl calls it a receive error.
      return connectStatus >= 300 ? .unreachable(detail: text) : .broken(detail: text)
    }
  }
}
