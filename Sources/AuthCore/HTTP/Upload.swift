/// How a body is sent as a file that is put.
public enum Upload: Sendable, Equatable {
  /// From its beginning to its end.
  case whole
  /// From this byte on, which `Content-Range` says (RFC 9110, section 14.5): the server has what comes before.
  case rest(from: Int64)
  /// From its beginning to its end, which `Content-Range` says: what the server has of it is not known.
  case wholeWithRange
}
