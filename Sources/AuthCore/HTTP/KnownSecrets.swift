import Synchronization

/// Secrets that are redacted by their value anywhere in a text: plain, percent-encoded, or escaped in JSON.
package final class KnownSecrets: Sendable {
  private struct State {
    /// The secrets with their forms, the newest last.
    var values: [(value: String, forms: Set<[UInt8]>)] = []
    /// All forms by their first byte, longest first.
    var forms: [UInt8: [[UInt8]]] = [:]
  }

  /// More than a login and its requests use. A long-running program keeps only the newest.
  private static let most = 64
  private static let mark = Array("‹redacted›".utf8)

  private let shortest: Int
  private let state = Mutex(State())

  /// Creates an empty list.
  ///
  /// - Parameter shortest: the minimum length in bytes; a shorter value is not added, because it could be a common
  ///   word.
  package init(shortest: Int = 8) { self.shortest = shortest }

  /// Adds a secret.
  package func add(_ value: some StringProtocol) {
    let value = String(value)
    guard value.utf8.count >= max(1, shortest) else { return }
    state.withLock { state in
      if let index = state.values.firstIndex(where: { $0.value == value }) {
        return state.values.append(state.values.remove(at: index))
      }
      state.values = (state.values + [(value, KnownSecrets.forms(of: value))]).suffix(KnownSecrets.most)
      let forms = Set(state.values.flatMap(\.forms)).sorted { $0.count > $1.count }
      state.forms = Dictionary(grouping: forms) { $0[0] }
    }
  }

  /// Returns the text without the secrets, in linear time. It compares bytes, so that a combining mark after a secret
  /// does not hide it.
  package func redacting(_ text: String) -> String {
    let forms = state.withLock { $0.forms }
    guard !forms.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if let form = forms[bytes[index]]?.first(where: { bytes[index...].starts(with: $0) }) {
        shown += KnownSecrets.mark
        index += form.count
      } else {
        shown.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  private static func forms(of value: String) -> Set<[UInt8]> {
    let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let encoded = [FormEncoding.percentEncode(value), FormEncoding.encode(value)]
    let all =
      [value, escaped, escaped.replacing("/", with: "\\/")] + encoded + encoded.map(FormEncoding.loweringEscapes)
    return Set(all.map { Array($0.utf8) })
  }
}
