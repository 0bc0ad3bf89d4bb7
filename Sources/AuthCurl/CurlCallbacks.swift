import AuthCore
import CAuthCurl

/// The context of libcurl's callbacks, and the memory that must live as long as the transfer.
@safe final class CurlCallbacks {
  /// The request and its response.
  let exchange: TransferState
  private let easy: UnsafeMutableRawPointer
  private var areAdded = false
  private var header: UnsafeMutablePointer<curl_slist>?
  private var addresses: UnsafeMutablePointer<curl_slist>?

  /// Creates the context for a handle, which must outlive it.
  init(easy: UnsafeMutableRawPointer, exchange: TransferState) {
    unsafe self.easy = easy
    self.exchange = exchange
  }

  deinit {
    unsafe ccurl_list_free(header)
    unsafe ccurl_list_free(addresses)
  }

  /// Sets an option.
  func apply(_ setting: Setting) -> CURLcode {
    switch setting {
    case .number(let option, let value): return unsafe ccurl_set_long(easy, option, value)
    case .hint(let option, let value):
      // libcurl 7.88 refuses CURLOPT_BUFFERSIZE on a handle whose last transfer was on an HTTP/2 connection that is
      // still busy.
      _ = unsafe ccurl_set_long(easy, option, value)
      return CURLE_OK
    case .offset(let option, let value): return unsafe ccurl_set_offset(easy, option, curl_off_t(value))
    case .text(let option, let value): return unsafe ccurl_set_string(easy, option, value)
    case .lines(let option, let lines): return add(lines, to: option)
    case .content(let bytes):
      let code = unsafe ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
      guard code == CURLE_OK else { return code }
      // An empty array may have no address, and without an address libcurl would call the read callback.
      return unsafe (bytes + [0]).withUnsafeBytes { content in
        unsafe ccurl_set_pointer(
          easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: content.baseAddress))
      }
    }
  }

  /// Adds header lines.
  func add(_ lines: [[UInt8]], to option: CURLoption) -> CURLcode {
    var list = unsafe option == CURLOPT_RESOLVE ? addresses : header
    for line in lines {
      let longer = unsafe (line + [0]).withUnsafeBytes { text in
        unsafe text.withMemoryRebound(to: CChar.self) { unsafe ccurl_list_append(list, $0.baseAddress) }
      }
      guard let longer = unsafe longer else { return CURLE_OUT_OF_MEMORY }
      unsafe list = longer
      if option == CURLOPT_RESOLVE { unsafe addresses = longer } else { unsafe header = longer }
    }
    return unsafe ccurl_set_pointer(easy, option, list)
  }

  /// Sets the callbacks, and the buffer for libcurl's error text.
  ///
  /// - Returns: libcurl's code for the callback that holds a request back until it may be sent, and adds the token.
  ///   Without that callback nothing may be sent.
  func install(_ errorText: UnsafeMutablePointer<CChar>) -> CURLcode {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    _ = unsafe ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    _ = unsafe ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
      let line = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: count))
      return unsafe CurlCallbacks.of(context)?.exchange.receive(line: Span(_bytes: line)) == true ? count : 0
    }
    _ = unsafe ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    _ = unsafe ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
      let part = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: count))
      return unsafe CurlCallbacks.of(context)?.exchange.receive(part) == true ? count : 0
    }
    _ = unsafe ccurl_set_reader(
      easy,
      { bytes, size, count, context in
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        var span = unsafe MutableRawSpan(_unsafeBytes: buffer)
        guard let exchange = unsafe CurlCallbacks.of(context)?.exchange else { return Int(CURL_READFUNC_ABORT) }
        return exchange.readBody(into: &span)
          ?? Int(exchange.isBodyAwaited ? CURL_READFUNC_PAUSE : CURL_READFUNC_ABORT)
      },
      { context, offset, origin in
        // libcurl only seeks from the start (SEEK_SET, 0).
        guard origin == 0, let call = unsafe CurlCallbacks.of(context) else { return Int32(CURL_SEEKFUNC_FAIL) }
        call.exchange.sent = Int64(offset)
        return Int32(CURL_SEEKFUNC_OK)
      }, context)
    let code = unsafe ccurl_set_prerequest(
      easy,
      { context, peer, _, _, _ in
        let address = unsafe peer.map { unsafe String(cString: $0) } ?? ""
        return unsafe CurlCallbacks.of(context)?.isCleared(to: address) == true
          ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      },
      context)
    // If this process is killed, the kernel must not send the request: by then another one may have been sent.
    if exchange.transfer.isSentOnce { _ = unsafe ccurl_abandon_at_end(easy) }
    guard exchange.transfer.trace != nil else { return code }
    _ = unsafe ccurl_set_debug(
      easy,
      { _, kind, bytes, count, context in
        unsafe CurlCallbacks.of(context)?.show(kind, UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
      }, context)
    return code
  }

  /// Adds the header lines that are known only now. libcurl reads the list when it writes the request.
  private func isCleared(to peer: String) -> Bool {
    guard let lines = exchange.clearance(to: peer) else { return false }
    // libcurl calls this again if it finds a kept connection closed and opens another.
    guard !areAdded else { return true }
    areAdded = true
    return add(lines, to: CURLOPT_HTTPHEADER) == CURLE_OK
  }

  private func show(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case CURLINFO_TEXT: unsafe exchange.show(note: [UInt8](bytes))
    case CURLINFO_HEADER_OUT: unsafe exchange.show([UInt8](bytes), as: WireLine.sent)
    case CURLINFO_HEADER_IN: unsafe exchange.show([UInt8](bytes), as: WireLine.received)
    default: break
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> CurlCallbacks? {
    unsafe context.map { unsafe Unmanaged<CurlCallbacks>.fromOpaque($0).takeUnretainedValue() }
  }
}
