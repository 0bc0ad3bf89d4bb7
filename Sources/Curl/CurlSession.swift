import AuthCore
import CCurl
import SystemPackage

// All unsafe code of this target is in this file, in CurlMulti.swift and CurlCallbacks.swift (libcurl's handles and the
// memory that its callbacks are given), and in CurlMemory.swift (the reads and writes that go straight from and to that
// memory).

/// One handle of libcurl: one transfer at a time, over the connections that its ``CurlMulti`` keeps.
@safe final class CurlSession: Sendable {
  // libcurl lets a handle be used from any thread, one after the other, and woken up from any thread at any time.
  private nonisolated(unsafe) let easy: UnsafeMutableRawPointer
  private nonisolated(unsafe) let errorText: UnsafeMutablePointer<CChar>
  private nonisolated(unsafe) var call: CurlCallbacks?
  private let multi: CurlMulti

  /// Begins to load libcurl on another thread.
  static func preload() {
    ccurl_preload()
  }

  /// Makes a handle with connections of its own; the first one loads libcurl.
  ///
  /// - Throws: ``TransportError/unusable(detail:)``.
  convenience init() throws(TransportError) {
    try self.init(sharing: CurlMulti())
  }

  /// Makes a handle beside others.
  ///
  /// - Throws: ``TransportError/unusable(detail:)``.
  init(sharing multi: CurlMulti) throws(TransportError) {
    guard let easy = unsafe ccurl_easy_init() else { throw .unusable(detail: "libcurl has no memory") }
    unsafe self.easy = easy
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    self.multi = multi
  }

  deinit {
    unsafe ccurl_easy_cleanup(easy)
    unsafe errorText.deallocate()
  }

  /// By which ``CurlMulti/finished()`` names the handle.
  var id: CurlMulti.ID { unsafe CurlMulti.ID(easy) }

  /// Makes a transfer that waits for the network look at whether it should go on; may be called from any thread.
  func wake() {
    multi.wake()
  }

  /// Carries one transfer on the calling thread, from connecting to its end.
  func run(_ settings: [Setting], for exchange: TransferState) -> CurlResult {
    if let failed = begin(settings, for: exchange) { return failed }
    return end(drive(exchange))
  }

  /// Begins a transfer, which goes on whenever the ``CurlMulti`` does.
  ///
  /// - Returns: nil; how it ended where it could not even begin.
  func begin(_ settings: [Setting], for exchange: TransferState) -> CurlResult? {
    let call = unsafe CurlCallbacks(easy: easy, exchange: exchange)
    unsafe self.call = call
    unsafe errorText.pointee = 0
    for setting in settings {
      let code = call.apply(setting)
      guard code == CURLE_OK else { return forget(after: code) }
    }
    let code = unsafe call.install(errorText)
    guard code == CURLE_OK else {
      var end = forget(after: code)
      end.detail = "libcurl is too old: it can't hold a request back until its connection is checked"
      return end
    }
    guard unsafe multi.add(easy) else { return forget(after: CURLE_FAILED_INIT) }
    return nil
  }

  /// Ends the transfer that has begun, which need not be at its end.
  func end(_ code: CURLcode) -> CurlResult {
    var end = ending(code)
    if let transfer = unsafe call?.exchange.transfer {
      transfer.progress?(progress)
      if transfer.report != nil { end.report = report(of: transfer) }
    }
    unsafe multi.remove(easy)
    _ = forget(after: code)
    return end
  }

  /// What libcurl was given must be forgotten by it before it goes.
  private func forget(after code: CURLcode) -> CurlResult {
    let end = ending(code)
    unsafe ccurl_easy_reset(easy)
    unsafe call = nil
    return end
  }

  private func drive(_ exchange: TransferState) -> CURLcode {
    while true {
      guard let running = multi.perform() else { return CURLE_FAILED_INIT }
      guard running > 0 else { break }
      guard let patience = exchange.patience() else { return CURLE_ABORTED_BY_CALLBACK }
      if exchange.isProgressDue() { exchange.transfer.progress?(progress) }
      guard multi.wait(atMost: patience) else { return CURLE_FAILED_INIT }
    }
    return multi.finished()?.code ?? CURLE_FAILED_INIT
  }

  /// A number that libcurl knows of the transfer; 0 where it doesn't.
  func number(_ info: CURLINFO) -> Int { max(0, unsafe ccurl_get_long(easy, info)) }

  /// A size or a time that libcurl knows of the transfer; nil where it doesn't.
  func amount(_ info: CURLINFO) -> Int64? {
    let value = unsafe ccurl_get_offset(easy, info)
    return value < 0 ? nil : Int64(value)
  }

  /// A text that libcurl knows of the transfer; empty where it doesn't.
  func text(_ info: CURLINFO) -> String { unsafe String(cString: ccurl_get_string(easy, info)) }

  /// The lines about each of the server's certificates.
  var certificates: [[String]] {
    var certificates: [[String]] = []
    while var line = unsafe ccurl_get_certificate(easy, Int32(certificates.count)) {
      var lines: [String] = []
      while true {
        if let data = unsafe line.pointee.data { lines.append(unsafe String(cString: data)) }
        guard let next = unsafe line.pointee.next else { break }
        unsafe line = next
      }
      certificates.append(lines)
    }
    return certificates
  }

  /// The names and versions of libcurl and of what it is made of.
  var library: String { unsafe String(cString: ccurl_version()) }

  private func ending(_ code: CURLcode) -> CurlResult {
    guard code != CURLE_OK else { return CurlResult(code: code, detail: "") }
    let own = unsafe String(cString: errorText)
    let general = unsafe ccurl_easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
    let status = unsafe ccurl_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
    return CurlResult(code: code, detail: own.isEmpty ? general : own, connectStatus: status)
  }
}
