import AuthCore
import CAuthCurl
import SystemPackage

// All unsafe code of this target is in this file, in CurlMulti.swift and CurlCallbacks.swift (libcurl's handles and the
// memory that its callbacks use), and in CurlMemory.swift (the reads and writes that go directly from and to that
// memory).

/// A libcurl handle: one transfer at a time, over the connections that its ``CurlMulti`` keeps.
@safe final class CurlSession: Sendable {
  // libcurl lets a handle be used from any thread, one after the other, and woken from any thread at any time.
  private nonisolated(unsafe) let easy: UnsafeMutableRawPointer
  private nonisolated(unsafe) let errorText: UnsafeMutablePointer<CChar>
  private nonisolated(unsafe) var call: CurlCallbacks?
  private let multi: CurlMulti

  /// Starts to load libcurl on another thread.
  static func preload() {
    ccurl_preload()
  }

  /// Creates a handle that shares connections with others.
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

  /// The ID by which ``CurlMulti/finished()`` identifies the handle.
  var id: CurlMulti.ID { unsafe CurlMulti.ID(easy) }

  /// Wakes a transfer that waits for the network, so that it checks if it must stop. Any thread may call this.
  func wake() {
    multi.wake()
  }

  /// Lets a transfer go on with its body, which it has waited for.
  func resume() { _ = unsafe ccurl_resume(easy) }

  /// Starts a transfer, which progresses when the ``CurlMulti`` does.
  ///
  /// - Returns: nil if it has started, else its result.
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

  /// Ends the running transfer, which need not be complete.
  func end(_ code: CURLcode) -> CurlResult {
    var end = ending(code)
    end.hasBegun = true
    if let exchange = unsafe call?.exchange {
      exchange.transfer.progress?(progress)
      if exchange.transfer.report != nil { end.report = report(of: exchange.transfer) }
    }
    // The response has come.
    if code == CURLE_OK, unsafe call?.exchange.transfer.isSentOnce == true { unsafe ccurl_keep_at_end(easy) }
    unsafe multi.remove(easy)
    _ = forget(after: code)
    return end
  }

  /// Resets the handle before the memory that libcurl points to is freed.
  private func forget(after code: CURLcode) -> CurlResult {
    let end = ending(code)
    unsafe ccurl_easy_reset(easy)
    unsafe call = nil
    return end
  }

  /// Returns a number from libcurl's data about the transfer; 0 if it is unknown.
  func number(_ info: CURLINFO) -> Int { max(0, unsafe ccurl_get_long(easy, info)) }

  /// Returns a size or a time from libcurl's data about the transfer; nil if it is unknown.
  func amount(_ info: CURLINFO) -> Int64? {
    let value = unsafe ccurl_get_offset(easy, info)
    return value < 0 ? nil : Int64(value)
  }

  /// Returns a text from libcurl's data about the transfer; empty if it is unknown.
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

  /// The names and versions of libcurl and its libraries.
  static var library: String { unsafe String(cString: ccurl_version()) }

  /// Returns an error text of libcurl, which can quote a proxy with its password, without such a quotation.
  static func withoutPasswords(_ text: String) -> String {
    // The password may contain a quotation mark.
    guard let first = text.firstIndex(ofAny: "'"), let last = text.lastIndex(ofAny: "'"), first < last,
      text[first..<last].contains(bytes: "@")
    else { return text }
    return text[..<first] + "'\(Secret(String(text[first..<last])))" + text[last...]
  }

  private func ending(_ code: CURLcode) -> CurlResult {
    guard code != CURLE_OK else { return CurlResult(code: code, detail: "") }
    let own = unsafe String(cString: errorText)
    let general = unsafe ccurl_easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
    let status = unsafe ccurl_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
    let detail = CurlSession.withoutPasswords(own.isEmpty ? general : own)
    return CurlResult(code: code, detail: detail, connectStatus: status)
  }
}
