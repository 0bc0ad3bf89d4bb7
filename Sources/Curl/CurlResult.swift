import AuthCore
import CCurl

/// How libcurl says that a transfer ended.
struct CurlResult {
  /// libcurl's code.
  var code: CURLcode
  /// libcurl's own words about a failure; empty where it has none.
  var detail: String
  /// The proxy's answer to CONNECT; 0 where none was asked.
  var connectStatus = 0
  /// What libcurl knows of the transfer, where someone asks.
  var report: TransferReport?

  /// Whether libcurl is content.
  var isSuccess: Bool { code == CURLE_OK }

  /// Says the failure in the transport's terms, by what the caller does next.
  func error(host: String) -> TransportError {
    let text = detail.contains(host) ? detail : "\(host): \(detail)"
    // libcurl's own limit, which a long line can exceed before ours.
    guard !detail.hasPrefix("Too large response headers") else {
      return .headerTooLarge(limit: ResponseReader.headerLimit)
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      return .unresolved(host: host, detail: detail)
    case CURLE_COULDNT_RESOLVE_PROXY:
      return .unresolved(host: "the proxy", detail: detail)
    case CURLE_COULDNT_CONNECT, CURLE_PROXY:
      return .unreachable(detail: text)
    case CURLE_OPERATION_TIMEDOUT:
      return .timedOut(detail: text)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
      return .tls(detail: text)
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_FAILED_INIT, CURLE_URL_MALFORMAT,
      CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION, CURLE_BAD_FUNCTION_ARGUMENT:
      return .unusable(detail: detail)
    case CURLE_OUT_OF_MEMORY:
      // So libcurl calls a line that is longer than it takes.
      return .broken(detail: "\(host): the response has a header line that is too long")
    default:
      // A proxy that refuses the tunnel has not let us reach anyone; libcurl calls it a receive error.
      return connectStatus >= 300 ? .unreachable(detail: text) : .broken(detail: text)
    }
  }
}
