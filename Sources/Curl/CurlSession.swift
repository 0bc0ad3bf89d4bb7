import AuthCore
import CCurl
import SystemPackage

// All unsafe code of this target is in this file and in CurlMulti.swift: libcurl's handles, the memory that its callbacks
// are given, and the reads and writes that go straight from and to that memory.

/// One handle of libcurl: one transfer at a time, over the connections that its ``CurlMulti`` keeps.
@safe final class CurlSession: Sendable {
  // libcurl lets a handle be used from any thread, one after the other, and woken up from any thread at any time.
  private nonisolated(unsafe) let easy: UnsafeMutableRawPointer
  private nonisolated(unsafe) let errorText: UnsafeMutablePointer<CChar>
  private nonisolated(unsafe) var call: Call?
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
  func run(_ settings: [Setting], for exchange: Exchange) -> Ending {
    if let failed = begin(settings, for: exchange) { return failed }
    return end(drive(exchange))
  }

  /// Begins a transfer, which goes on whenever the ``CurlMulti`` does.
  ///
  /// - Returns: nil; how it ended where it could not even begin.
  func begin(_ settings: [Setting], for exchange: Exchange) -> Ending? {
    let call = unsafe Call(easy: easy, exchange: exchange)
    unsafe self.call = call
    unsafe errorText.pointee = 0
    for setting in settings {
      let code = call.apply(setting)
      guard code == CURLE_OK else { return forget(after: code) }
    }
    unsafe call.install(errorText)
    guard unsafe multi.add(easy) else { return forget(after: CURLE_FAILED_INIT) }
    return nil
  }

  /// Ends the transfer that has begun, which need not be at its end.
  func end(_ code: CURLcode) -> Ending {
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
  private func forget(after code: CURLcode) -> Ending {
    let end = ending(code)
    unsafe ccurl_easy_reset(easy)
    unsafe call = nil
    return end
  }

  private func drive(_ exchange: Exchange) -> CURLcode {
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

  private func ending(_ code: CURLcode) -> Ending {
    guard code != CURLE_OK else { return Ending(code: code, detail: "") }
    let own = unsafe String(cString: errorText)
    let general = unsafe ccurl_easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
    let status = unsafe ccurl_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
    return Ending(code: code, detail: own.isEmpty ? general : own, connectStatus: status)
  }
}

/// What libcurl's callbacks are given, and the memory that must live as long as the transfer.
@safe private final class Call {
  let exchange: Exchange
  private let easy: UnsafeMutableRawPointer
  private var areAdded = false
  private var header: UnsafeMutablePointer<curl_slist>?
  private var addresses: UnsafeMutablePointer<curl_slist>?

  init(easy: UnsafeMutableRawPointer, exchange: Exchange) {
    unsafe self.easy = easy
    self.exchange = exchange
  }

  deinit {
    unsafe ccurl_list_free(header)
    unsafe ccurl_list_free(addresses)
  }

  func apply(_ setting: Setting) -> CURLcode {
    switch setting {
    case .number(let option, let value): return unsafe ccurl_set_long(easy, option, value)
    case .offset(let option, let value): return unsafe ccurl_set_offset(easy, option, curl_off_t(value))
    case .text(let option, let value): return unsafe ccurl_set_string(easy, option, value)
    case .lines(let option, let lines): return add(lines, to: option)
    case .content(let bytes):
      let code = unsafe ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
      guard code == CURLE_OK else { return code }
      // An empty array may have no address, and without an address libcurl would ask the reading callback.
      return unsafe (bytes + [0]).withUnsafeBytes { content in
        unsafe ccurl_set_pointer(
          easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: content.baseAddress))
      }
    }
  }

  func add(_ lines: [[UInt8]], to option: CURLoption) -> CURLcode {
    var list = unsafe option == CURLOPT_RESOLVE ? addresses : header
    for line in lines {
      let text = (line + [0]).map { CChar(bitPattern: $0) }
      guard let longer = unsafe ccurl_list_append(list, text) else { return CURLE_OUT_OF_MEMORY }
      unsafe list = longer
      if option == CURLOPT_RESOLVE { unsafe addresses = longer } else { unsafe header = longer }
    }
    return unsafe ccurl_set_pointer(easy, option, list)
  }

  func install(_ errorText: UnsafeMutablePointer<CChar>) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    _ = unsafe ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    _ = unsafe ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
      unsafe Call.of(context)?.exchange.receive(line: [UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
        == true
        ? count : 0
    }
    _ = unsafe ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    _ = unsafe ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
      let part = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: count))
      return unsafe Call.of(context)?.exchange.receive(part) == true ? count : 0
    }
    _ = unsafe ccurl_set_reader(
      easy,
      { bytes, size, count, context in
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        var span = unsafe MutableRawSpan(_unsafeBytes: buffer)
        return unsafe Call.of(context)?.exchange.readBody(into: &span) ?? Int(CURL_READFUNC_ABORT)
      },
      { context, offset, origin in
        // libcurl only ever goes back to a place from the start (SEEK_SET, 0).
        guard origin == 0, let call = unsafe Call.of(context) else { return Int32(CURL_SEEKFUNC_FAIL) }
        call.exchange.sent = Int64(offset)
        return Int32(CURL_SEEKFUNC_OK)
      }, context)
    _ = unsafe ccurl_set_prerequest(
      easy,
      { context, peer, _, _, _ in
        let address = unsafe peer.map { unsafe String(cString: $0) } ?? ""
        return unsafe Call.of(context)?.isCleared(to: address) == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      },
      context)
    guard exchange.transfer.trace != nil else { return }
    _ = unsafe ccurl_set_debug(
      easy,
      { _, kind, bytes, count, context in
        unsafe Call.of(context)?.show(kind, UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
      }, context)
  }

  /// Adds what the exchange adds at the last moment; libcurl reads the list when it writes the request.
  private func isCleared(to peer: String) -> Bool {
    guard let lines = exchange.clearance(to: peer) else { return false }
    // libcurl asks again where it found a kept connection closed and makes another.
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

  private static func of(_ context: UnsafeMutableRawPointer?) -> Call? {
    unsafe context.map { unsafe Unmanaged<Call>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension [UInt8] {
  /// Lends the bytes.
  func withSpan<Result>(_ work: (RawSpan) throws -> Result) rethrows -> Result {
    try unsafe work(span.bytes)
  }
}

extension RawSpan {
  /// Appends the bytes to an array.
  func append(to array: inout [UInt8]) {
    unsafe withUnsafeBytes { unsafe array.append(contentsOf: $0) }
  }

  /// Writes the bytes to a file, straight from where they are.
  ///
  /// - Throws: ``TransportError/outputClosed``, ``TransportError/localFile(detail:)``, `CancellationError`.
  func write(to file: FileDescriptor, for job: Job) throws {
    var rest = unsafe withUnsafeBytes { unsafe $0 }
    while unsafe !rest.isEmpty {
      let count = try LocalFile.retrying("cannot write", file, for: job) { unsafe try file.write(rest) }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}

extension RequestBody {
  /// Reads a part of the body, straight to where it is wanted.
  ///
  /// - Returns: the number of bytes, 0 at the end.
  /// - Throws: ``TransportError/localFile(detail:)``, `CancellationError`.
  func read(into buffer: inout MutableRawSpan, at position: Int64, for job: Job) throws -> Int {
    if case .sequence(let bodies) = self { return try bodies.read(into: &buffer, at: position, for: job) }
    return try unsafe buffer.withUnsafeMutableBytes { buffer in
      switch self {
      case .bytes(let bytes):
        let count = min(buffer.count, bytes.count - Int(position))
        unsafe buffer.copyBytes(from: bytes[Int(position)..<Int(position) + count])
        return count
      case .file(let file, let offset, let length):
        let part = unsafe UnsafeMutableRawBufferPointer(
          rebasing: buffer[..<Int(min(Int64(buffer.count), length - position))])
        guard unsafe !part.isEmpty else { return 0 }
        let count = try LocalFile.retrying("cannot read the body", nil, for: job) {
          unsafe try file.read(fromAbsoluteOffset: offset + position, into: part)
        }
        guard count > 0 else { throw TransportError.localFile(detail: "the body's file has become shorter") }
        return count
      case .stream(let spool):
        return try LocalFile.retrying("cannot read the body", nil, for: job) {
          unsafe try spool.read(into: buffer, at: position)
        }
      case .sequence:
        return 0
      }
    }
  }
}
