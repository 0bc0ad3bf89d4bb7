/// Why the server refuses a request: the status of its response. The connection is closed after it.
enum RequestFault: Int, Error {
  /// The syntax of the request is invalid.
  case malformed = 400
  /// The head is not complete in time.
  case timeout = 408
  /// The head is too long, or has too many fields.
  case tooLarge = 431
  /// The transfer coding is not `chunked`.
  case unknownCoding = 501
  /// The version is not HTTP/1.0 or HTTP/1.1.
  case unknownVersion = 505
}
