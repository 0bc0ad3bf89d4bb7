import AuthCore
import CAuthCurl
import HTTPTypes

/// Converts a transfer into libcurl's options: a pure function of the request and the environment.
struct TransferSettings {
  /// The default timeout for connecting: 30 s instead of libcurl's 300. If a host drops packets, that is too long for a
  /// cron job that runs every minute.
  static let connectTimeout = Duration.seconds(30)

  /// The largest body that libcurl copies, so that it is sent in one packet with the header; in bytes.
  static let copiedBodyLimit = 64 << 10

  /// The size of the receive buffer, in bytes: it fits the processor's L2 cache together with the kernel's copy. Half a
  /// megabyte took 1.6 times as long for 1 GiB.
  static let receiveBufferSize = 100 << 10

  /// The size of the send buffer, in bytes, for the same reason. Half a megabyte took up to 1.25 times as long for
  /// 1 GiB, and so did 64 KiB.
  static let sendBufferSize = 100 << 10

  /// The request.
  let transfer: Transfer
  /// The environment variables, for proxies and certificate authorities.
  let variables: CurlVariables

  /// All options, in an order in which they can be set.
  var all: [Setting] {
    var all = basics
    for others in [limits, connection, proxy, certificates, standard, request] { all += others }
    return all
  }

  private var basics: [Setting] {
    [
      .text(CURLOPT_URL, transfer.url.string),
      .text(CURLOPT_PROTOCOLS_STR, "http,https"),
      .number(CURLOPT_FOLLOWLOCATION, 0),
      // libcurl sends a request again when a kept connection breaks before a response has begun.
      .number(CURLOPT_FRESH_CONNECT, transfer.isSentOnce ? 1 : 0),
      .number(CURLOPT_HTTP09_ALLOWED, 0),
      .number(CURLOPT_HTTP_CONTENT_DECODING, transfer.decodesContent ? 1 : 0),
      .number(CURLOPT_NETRC, 0),
      // Whatever OpenSSL's configuration allows (RFC 9325, section 3.1.1).
      .number(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2),
      .number(CURLOPT_SSL_VERIFYPEER, 1),
      .number(CURLOPT_SSL_VERIFYHOST, 2),
      // Signals belong to the program: the threads of transfers block them.
      .number(CURLOPT_NOSIGNAL, 1),
      // Cancellation must not wait for a resolver that does not respond.
      .number(CURLOPT_QUICK_EXIT, 1),
      .number(CURLOPT_TCP_KEEPALIVE, 1),
      .hint(CURLOPT_BUFFERSIZE, TransferSettings.receiveBufferSize),
      .hint(CURLOPT_UPLOAD_BUFFERSIZE, TransferSettings.sendBufferSize),
      .lines(CURLOPT_HTTPHEADER, HeaderLines.lines(of: transfer)),
      // The token is for the server: the CONNECT request to a proxy has none of the fields.
      .number(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE)),
      .number(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
    ]
  }

  private var limits: [Setting] {
    let connect = transfer.network.connectTimeout ?? TransferSettings.connectTimeout
    return [.number(CURLOPT_CONNECTTIMEOUT_MS, max(1, connect.milliseconds))]
  }

  private var connection: [Setting] {
    var settings: [Setting] = []
    let network = transfer.network
    if let path = network.unixSocket { settings.append(.text(CURLOPT_UNIX_SOCKET_PATH, path)) }
    if !network.resolve.isEmpty { settings.append(.lines(CURLOPT_RESOLVE, network.resolve.map { Array($0.utf8) })) }
    switch network.version {
    case .http1: settings.append(.number(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1))
    case .http2: settings.append(.number(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_0))
    case nil: break
    }
    switch network.addresses {
    case .ipv4: settings.append(.number(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4)))
    case .ipv6: settings.append(.number(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6)))
    case nil: break
    }
    return settings
  }

  /// The proxy settings from the given environment; libcurl itself would read the process's environment.
  private var proxy: [Setting] {
    let usual = transfer.url.origin.scheme == .http ? variables.httpProxy : variables.httpsProxy
    return [
      .text(CURLOPT_PROXY, transfer.network.proxy ?? usual ?? ""),
      .text(CURLOPT_NOPROXY, transfer.network.noProxy ?? variables.noProxy ?? ""),
    ]
  }

  /// The same variables in the same order as in the curl tool; libcurl itself does not read them.
  private var certificates: [Setting] {
    var settings: [Setting] = []
    if let file = transfer.network.cacert {
      // Replaces the system's authorities, whose folder would still be searched.
      settings += [.text(CURLOPT_CAINFO, file), .text(CURLOPT_CAPATH, nil)]
    } else if let file = variables.authoritiesBundle {
      settings.append(.text(CURLOPT_CAINFO, file))
    } else {
      if let folder = variables.authoritiesFolder { settings.append(.text(CURLOPT_CAPATH, folder)) }
      if let file = variables.authoritiesFile { settings.append(.text(CURLOPT_CAINFO, file)) }
    }
    if let file = transfer.network.clientCertificate { settings.append(.text(CURLOPT_SSLCERT, file)) }
    if let file = transfer.network.clientKey { settings.append(.text(CURLOPT_SSLKEY, file)) }
    if transfer.network.clientCertificate != nil || transfer.network.clientKey != nil {
      // Set even without a password: OpenSSL would prompt for it on the terminal, and wait forever.
      settings.append(.text(CURLOPT_KEYPASSWD, transfer.network.clientKeyPassword?.exposed ?? ""))
    }
    if transfer.wantsCertificates { settings.append(.number(CURLOPT_CERTINFO, 1)) }
    return settings
  }

  /// The fields that libcurl writes in the same position as curl.
  private var standard: [Setting] {
    var settings: [Setting] = []
    for field in transfer.standardFields {
      switch field.name {
      case .userAgent: settings.append(.text(CURLOPT_USERAGENT, field.value))
      case .referer: settings.append(.text(CURLOPT_REFERER, field.value))
      // libcurl writes the unit, and converts the range to Content-Range if there is a body.
      case .range:
        settings.append(.text(CURLOPT_RANGE, String(field.value.dropping(prefix: "bytes=") ?? field.value[...])))
      default: break
      }
    }
    // The empty string selects every encoding that this libcurl can decompress.
    if transfer.decodesContent { settings.append(.text(CURLOPT_ACCEPT_ENCODING, "")) }
    return settings
  }

  private var request: [Setting] {
    let method = Setting.text(CURLOPT_CUSTOMREQUEST, transfer.method.rawValue)
    guard let body = transfer.body else {
      if transfer.endsWithHeader || transfer.method == .head { return [.number(CURLOPT_NOBODY, 1), method] }
      // Methods that define a meaning for content send a length of 0 without it (RFC 9110, section 8.6).
      if [.post, .put, .patch].contains(transfer.method), !transfer.withheldFields.contains(.contentLength) {
        return [.number(CURLOPT_POST, 1), .content([]), method]
      }
      return [.number(CURLOPT_HTTPGET, 1), method]
    }
    if let upload = transfer.upload { return put(body, upload) + [method] }
    let size: Setting =
      if case .bytes(let bytes) = body, bytes.count <= TransferSettings.copiedBodyLimit {
        .content(bytes)
      } else {
        // With -1 libcurl sends chunks over HTTP/1.1 and plain frames over HTTP/2.
        .offset(CURLOPT_POSTFIELDSIZE_LARGE, body.length ?? -1)
      }
    return [.number(CURLOPT_POST, 1), size, method]
  }

  private func put(_ body: RequestBody, _ upload: Upload) -> [Setting] {
    let whole: [Setting] = [.number(CURLOPT_UPLOAD, 1), .offset(CURLOPT_INFILESIZE_LARGE, body.length ?? -1)]
    switch upload {
    case .whole: return whole
    case .wholeWithRange: return whole + [.offset(CURLOPT_RESUME_FROM_LARGE, -1)]
    case .rest(let offset):
      // If a kept connection breaks, libcurl starts again and counts the skipped part a second time.
      return whole + [.offset(CURLOPT_RESUME_FROM_LARGE, offset), .number(CURLOPT_FRESH_CONNECT, 1)]
    }
  }
}

extension Duration {
  /// The duration in whole milliseconds, rounded up.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    // A limit of centuries is capped: it must not overflow libcurl's type.
    let bounded = min(seconds, Int64(Int32.max) / 1000 - 1)
    return Int(bounded) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

/// One option of a libcurl handle, with its value.
enum Setting: Equatable, Sendable {
  /// A `long`: a number or a switch.
  case number(CURLoption, Int)
  /// A `long` without which the transfer is the same, only slower: libcurl may refuse it.
  case hint(CURLoption, Int)
  /// A `curl_off_t`: a size that may exceed 32 bits.
  case offset(CURLoption, Int64)
  /// A string, copied by libcurl; nil unsets it.
  case text(CURLoption, String?)
  /// A list of lines without line ends, kept until the transfer has ended.
  case lines(CURLoption, [[UInt8]])
  /// The whole body of the request, copied by libcurl.
  case content([UInt8])
}
