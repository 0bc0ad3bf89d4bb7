import AuthCore
import CAuthCurl

/// The running transfers of libcurl, and the connections that it keeps; used by one thread at a time.
@safe final class CurlMulti: Sendable {
  /// Identifies a ``CurlSession`` by the address of its handle.
  struct ID: Equatable, Sendable {
    private let address: Int

    /// Creates the ID of a handle.
    @unsafe init(_ easy: UnsafeMutableRawPointer) {
      address = Int(bitPattern: easy)
    }
  }

  private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  /// Creates a multi handle without transfers; the first one loads libcurl.
  ///
  /// - Throws: ``TransportError/unusable(detail:)``.
  init() throws(TransportError) {
    if let reason = unsafe ccurl_load() { throw .unusable(detail: unsafe String(cString: reason)) }
    guard let multi = unsafe ccurl_multi_init() else { throw .unusable(detail: "libcurl has no memory") }
    unsafe self.multi = multi
  }

  deinit {
    _ = unsafe ccurl_multi_cleanup(multi)
  }

  /// Ends a wait early; may be called from any thread, also before the wait has begun.
  func wake() {
    _ = unsafe ccurl_multi_wakeup(multi)
  }

  /// Adds a handle, whose transfer then starts; false if libcurl refuses it.
  @unsafe func add(_ easy: UnsafeMutableRawPointer) -> Bool {
    unsafe ccurl_multi_add(multi, easy) == CURLM_OK
  }

  /// Removes a handle, whose transfer ends.
  @unsafe func remove(_ easy: UnsafeMutableRawPointer) {
    _ = unsafe ccurl_multi_remove(multi, easy)
  }

  /// Does the work that needs no waiting.
  ///
  /// - Returns: the number of unfinished transfers; nil if libcurl has failed.
  func perform() -> Int? {
    var running: Int32 = 0
    guard unsafe ccurl_multi_perform(multi, &running) == CURLM_OK else { return nil }
    return Int(running)
  }

  /// Waits for the network, for at most this many milliseconds.
  ///
  /// - Returns: the number of connections with something to do; nil if libcurl has failed.
  func wait(atMost milliseconds: Int) -> Int? {
    let ready = unsafe ccurl_multi_poll(multi, Int32(milliseconds))
    return ready < 0 ? nil : Int(ready)
  }

  /// Returns a transfer that has finished; nil if there is none.
  func finished() -> (id: ID, code: CURLcode)? {
    var code = CURLE_FAILED_INIT
    guard let easy = unsafe ccurl_multi_finished(multi, &code) else { return nil }
    return (unsafe ID(easy), code)
  }
}
