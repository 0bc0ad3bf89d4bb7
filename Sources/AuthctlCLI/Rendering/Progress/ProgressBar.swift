import AuthCore

/// The progress of a transfer as a bar across the terminal. If the total size is unknown, a marker moves back and
/// forth.
struct ProgressBar: Sendable {
  /// The widest bar, in columns.
  static let widest = 256

  private let columns: Int
  private var step = 0

  /// - Parameter columns: the width of the terminal.
  init(columns: Int) { self.columns = min(max(columns, 20), ProgressBar.widest) }

  /// Returns the line for the current progress.
  mutating func line(_ progress: TransferProgress) -> String {
    let done = progress.received + progress.sent
    let expected = (progress.toReceive ?? 0) + (progress.toSend ?? 0)
    guard expected > 0 else { return flight() }
    // More bytes may arrive than were announced.
    let part = min(1, Double(done) / Double(expected))
    let tenths = Int(part * 1000)
    let width = columns - 7
    let percent = "\(tenths / 10).\(tenths % 10)%"
    return bar(Int(Double(width) * part), of: width) + String(repeating: " ", count: 7 - percent.count) + percent
  }

  private func bar(_ length: Int, of width: Int) -> String {
    String(repeating: "#", count: length) + String(repeating: " ", count: width - length)
  }

  private mutating func flight() -> String {
    let shape = "-=O=-"
    let room = columns - 1 - shape.count
    let place = step % (2 * room)
    step += 2
    let before = place < room ? place : 2 * room - place
    return String(repeating: " ", count: before) + shape + String(repeating: " ", count: room - before)
  }
}
