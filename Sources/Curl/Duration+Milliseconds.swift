extension Duration {
  /// The duration in whole milliseconds, rounded up.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    // A limit of centuries is no limit: it must not overflow what libcurl takes.
    let bounded = min(seconds, Int64(Int32.max) / 1000 - 1)
    return Int(bounded) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
