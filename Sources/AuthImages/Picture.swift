import CAuthPixbuf

// All unsafe code of this target is in this file: gdk-pixbuf's pictures and the memory of its results.

/// A decoded picture, upright and without transparency.
@safe final class Picture {
  /// The reason why a picture can't be read or written.
  struct Failure: Error, Equatable {
    let reason: String
  }

  private let handle: OpaquePointer

  /// Decodes an image and scales it down to fit the limits, in pixels; 0 means no limit.
  init(_ data: [UInt8], width: Int, height: Int) throws(Failure) {
    var reason = Picture.noReason
    let limit: (Int) -> Int32 = { Int32(clamping: $0) }
    let handle = unsafe cpixbuf_read(data, data.count, limit(width), limit(height), &reason, reason.count)
    guard let handle = unsafe handle else { throw Picture.failure(reason) }
    unsafe self.handle = handle
  }

  deinit {
    unsafe cpixbuf_free(handle)
  }

  /// Encodes the picture as JPEG; `quality` is in percent.
  func jpeg(quality: Int) throws(Failure) -> [UInt8] {
    var reason = Picture.noReason
    var count = 0
    let bytes = unsafe cpixbuf_jpeg(handle, Int32(clamping: quality), &count, &reason, reason.count)
    guard let bytes = unsafe bytes else { throw Picture.failure(reason) }
    defer { unsafe cpixbuf_release(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private static var noReason: [CChar] { [CChar](repeating: 0, count: 256) }

  private static func failure(_ reason: [CChar]) -> Failure {
    Failure(reason: String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
