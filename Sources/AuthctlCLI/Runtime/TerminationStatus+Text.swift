import Subprocess

extension TerminationStatus {
  /// The status in words, for messages: `status 1`, `signal 15`.
  var words: String {
    switch self {
    case .exited(let code): "status \(code)"
    case .signaled(let number): "signal \(number)"
    }
  }
}
