import AuthCore
import HTTPTypes

/// The values that `-w` can print about a completed request.
struct WriteOutValues: Sendable {
  /// The address.
  let url: WebURL
  /// The position among the addresses of the command line, from 0.
  let number: Int
  /// The file that the body was written to.
  let file: String?
  /// The exit status that this request alone would give.
  let status: ExitStatus
  /// The error message; nil if there is none.
  let message: String?
  /// The record of the transfers.
  let record: TransferLog

  /// The response's header; that of the last response if there were several.
  var response: TransferResponse { record.reports.last?.response ?? TransferResponse(status: 0) }

  /// Returns the value of a variable that has one.
  func value(_ variable: WriteOutVariable) -> WriteOutValue {
    let last = record.reports.last ?? TransferReport(of: Transfer(method: .get, url: url))
    switch variable {
    case .certs: return .text(last.certificates.joined())
    case .contentType: return .text(response.fields[.contentType])
    case .errorMessage: return .text(message)
    case .exitCode: return .number(Int64(status.rawValue))
    case .effectiveFileName: return .text(file)
    case .httpCode, .responseCode: return .code(response.status)
    case .httpConnect: return .code(last.connectStatus)
    case .httpVersion: return .text(last.httpVersion)
    case .localIP: return .text(last.local.address)
    case .localPort: return .number(Int64(last.local.port))
    case .method: return .text(last.method.rawValue)
    case .certificateCount: return .number(Int64(last.certificates.count))
    case .connectCount: return .number(sum { Int64($0.newConnections) })
    case .headerCount: return .number(Int64(headerCount))
    case .redirectCount: return .number(Int64(redirectCount))
    case .proxyVerifyResult: return .number(Int64(last.proxyVerification))
    case .redirectURL: return .text(redirectURL(last))
    case .referer: return .text(last.referer)
    case .remoteIP: return .text(last.remote.address)
    case .remotePort: return .number(Int64(last.remote.port))
    case .scheme: return .text(last.remote.address.isEmpty ? nil : last.url.origin.scheme.rawValue.uppercased())
    case .verifyResult: return .number(Int64(last.verification))
    case .url: return .text(url.string)
    case .effectiveURL: return .text(last.url.string)
    case .urlNumber: return .number(Int64(number))
    case .downloadSize, .headerSize, .requestSize, .uploadSize, .downloadSpeed, .uploadSpeed:
      return .number(size(variable, last.sizes))
    case .appConnectTime, .connectTime, .nameLookupTime, .preTransferTime, .redirectTime, .startTransferTime,
      .totalTime:
      return .time(time(variable))
    // These variables have no value of their own.
    case .headerJSON, .json, .onError, .standardError, .standardOutput: return .text(nil)
    }
  }

  /// Returns a size. As in curl, only the last body counts, but all headers.
  private func size(_ variable: WriteOutVariable, _ last: TransferReport.Sizes) -> Int64 {
    switch variable {
    case .downloadSize: last.received
    case .uploadSize: last.sent
    case .downloadSpeed: perSecond(last.received)
    case .uploadSpeed: perSecond(last.sent)
    case .requestSize: sum { $0.sizes.request }
    default: sum { $0.sizes.responseHeader }
    }
  }

  /// Returns a time. As in curl, the steps of all transfers are added up, except times of the whole request.
  private func time(_ variable: WriteOutVariable) -> Duration {
    switch variable {
    case .totalTime: record.total
    case .redirectTime: record.beforeLast
    case .nameLookupTime: record.reports.reduce(.zero) { $0 + $1.times.nameLookup }
    case .connectTime: record.reports.reduce(.zero) { $0 + $1.times.connect }
    case .appConnectTime: record.reports.reduce(.zero) { $0 + $1.times.handshake }
    case .preTransferTime: record.reports.reduce(.zero) { $0 + $1.times.preTransfer }
    default: record.reports.reduce(.zero) { $0 + $1.times.startTransfer }
    }
  }

  private func sum(_ amount: (TransferReport) -> Int64) -> Int64 { record.reports.reduce(0) { $0 + amount($1) } }

  private func perSecond(_ bytes: Int64) -> Int64 {
    record.total > .zero ? Int64(Double(bytes) / (record.total / .seconds(1))) : 0
  }

  private var headerCount: Int {
    response.rawHeader.split(separator: UInt8(ascii: "\n")).dropFirst().count { $0.contains(UInt8(ascii: ":")) }
  }

  private var redirectCount: Int {
    record.reports.dropLast().count { Redirection.statuses.contains($0.response.status) }
  }

  /// Returns the target of a redirect that was not followed.
  private func redirectURL(_ last: TransferReport) -> String? {
    guard (300..<400).contains(response.status), let location = response.fields[.location] else { return nil }
    do {
      return try last.url.resolving(location).string
    } catch {
      // A location that is not a valid URL is shown unchanged.
      return location
    }
  }
}
