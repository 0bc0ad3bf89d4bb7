/// The options of `call`: curl's, with curl's meaning.
enum CallOptions {
  static let all = allRequest + allData + allConnection + allRetry + allBatch + allOutput

  /// Whether error messages are kept back: `-s` without `-S`.
  static func areErrorsSilenced(_ invocation: Invocation) -> Bool {
    invocation.has(silent) && !invocation.has(showError)
  }
}
