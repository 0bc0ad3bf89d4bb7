import AuthCore
import CAuthCurl

extension CurlSession {
  /// The progress of the transfer.
  var progress: TransferProgress {
    TransferProgress(
      received: amount(CURLINFO_SIZE_DOWNLOAD_T) ?? 0, toReceive: amount(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T),
      sent: amount(CURLINFO_SIZE_UPLOAD_T) ?? 0, toSend: amount(CURLINFO_CONTENT_LENGTH_UPLOAD_T))
  }

  /// Returns libcurl's data about the transfer that has just ended.
  func report(of transfer: Transfer) -> TransferReport {
    var report = TransferReport(of: transfer)
    report.httpVersion = CurlSession.version(number(CURLINFO_HTTP_VERSION))
    report.connectStatus = number(CURLINFO_HTTP_CONNECTCODE)
    report.remote.address = text(CURLINFO_PRIMARY_IP)
    report.remote.port = number(CURLINFO_PRIMARY_PORT)
    report.local.address = text(CURLINFO_LOCAL_IP)
    report.local.port = number(CURLINFO_LOCAL_PORT)
    report.sizes.received = amount(CURLINFO_SIZE_DOWNLOAD_T) ?? 0
    report.sizes.sent = amount(CURLINFO_SIZE_UPLOAD_T) ?? 0
    report.sizes.responseHeader = Int64(number(CURLINFO_HEADER_SIZE))
    report.sizes.request = Int64(number(CURLINFO_REQUEST_SIZE))
    report.times.nameLookup = time(CURLINFO_NAMELOOKUP_TIME_T)
    report.times.connect = time(CURLINFO_CONNECT_TIME_T)
    report.times.handshake = time(CURLINFO_APPCONNECT_TIME_T)
    report.times.preTransfer = time(CURLINFO_PRETRANSFER_TIME_T)
    report.times.startTransfer = time(CURLINFO_STARTTRANSFER_TIME_T)
    report.times.total = time(CURLINFO_TOTAL_TIME_T)
    report.newConnections = number(CURLINFO_NUM_CONNECTS)
    report.verification = number(CURLINFO_SSL_VERIFYRESULT)
    report.proxyVerification = number(CURLINFO_PROXY_SSL_VERIFYRESULT)
    report.certificates = transfer.wantsCertificates ? certificates.map(CurlSession.text) : []
    report.library = { CurlSession.library }
    return report
  }

  private static func version(_ number: Int) -> String {
    switch number {
    case Int(CURL_HTTP_VERSION_1_0): "1"
    case Int(CURL_HTTP_VERSION_1_1): "1.1"
    case Int(CURL_HTTP_VERSION_2_0): "2"
    case Int(CURL_HTTP_VERSION_3): "3"
    default: "0"
    }
  }

  private func time(_ info: CURLINFO) -> Duration { .microseconds(amount(info) ?? 0) }

  /// Returns a certificate's details, one per line. The certificate itself follows a name, which is removed.
  private static func text(_ lines: [String]) -> String {
    lines.reduce(into: "") { text, line in
      text += line.dropping(prefix: "Cert:") ?? line[...]
      if !text.ends(withBytes: "\n") { text += "\n" }
    }
  }
}
