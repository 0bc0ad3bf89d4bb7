/// The options of `call`: curl's, with curl's meaning.
enum CallOptions {
  static let all = allRequest + allData + allConnection + allRetry + allBatch + allOutput
}
