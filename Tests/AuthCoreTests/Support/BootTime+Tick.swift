@testable import AuthCore

extension BootTime {
  /// Waits until the clock shows another hundredth of a second: what happens then is later than what has happened.
  static func tick() {
    let start = BootTime.now
    while BootTime.now == start {}
  }
}
