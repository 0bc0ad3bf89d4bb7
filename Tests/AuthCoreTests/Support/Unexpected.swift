/// Something else than what a test waited for.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ value: Any?) {
    description = "\(String(describing: value))"
  }
}
