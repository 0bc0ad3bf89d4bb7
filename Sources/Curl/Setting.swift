import CCurl

/// One option of a libcurl handle, with its value.
enum Setting: Equatable {
  /// A `long`: a number or a switch.
  case number(CURLoption, Int)
  /// A `curl_off_t`: a size that may exceed 32 bits.
  case offset(CURLoption, Int64)
  /// A string, copied by libcurl; nil unsets it.
  case text(CURLoption, String?)
  /// A list of lines without their ends, kept until the transfer has ended.
  case lines(CURLoption, [[UInt8]])
  /// The whole body of the request, copied by libcurl.
  case content([UInt8])
}
