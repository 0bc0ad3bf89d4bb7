import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("LocalClock")
struct LocalClockTests {
  private static let day = 86400.0

  /// What happens to the clocks between the issuance and the reading.
  enum Step: Sendable {
    /// Time passes, in seconds, awake or suspended.
    case pass(Double)
    /// The local clock is set by so many seconds; or the machine stood still and its clock was then put right.
    case set(Double)
    /// The machine is started again.
    case restart
  }

  @Test(
    "changes of the local clock since the issuance",
    arguments: [
      // Nothing, or what does not matter.
      (nil, [.pass(3600)], .right), (nil, [.pass(3600), .set(60)], .right), (nil, [.pass(3600), .set(-60)], .right),
      // A suspend of three days.
      (nil, [.pass(3 * day)], .right),
      // Set back and forward.
      (nil, [.pass(3600), .set(-3 * day)], .off(by: 3 * day)), (nil, [.pass(9), .set(-61)], .off(by: 61)),
      (nil, [.pass(3600), .set(3 * day)], .doubtful(least: -3 * day, most: 0)),
      (nil, [.set(3 * day), .pass(60), .set(-3 * day)], .right),
      // The server's clock was another from the beginning.
      (3 * day, [.pass(3600)], .off(by: 3 * day)), (-3 * day, [.pass(3600)], .off(by: -3 * day)),
      // Put right since.
      (3 * day, [.pass(3600), .set(3 * day)], .right), (-3 * day, [.pass(3600), .set(-3 * day)], .right),
      // Both: another error than at first.
      (3 * day, [.set(day)], .doubtful(least: 2 * day, most: 3 * day)), (3 * day, [.set(-day)], .off(by: 4 * day)),
      (-3 * day, [.set(day)], .doubtful(least: -4 * day, most: -3 * day)), (-3 * day, [.set(-day)], .off(by: -2 * day)),
      // Another start: only a time before the issuance is certainly wrong.
      (nil, [.pass(3600), .restart], .right), (nil, [.restart, .set(-60)], .right),
      (nil, [.restart, .set(-61)], .setBack(atLeast: 61)), (nil, [.restart, .set(3 * day)], .right),
      (nil, [.pass(3600), .restart, .set(-3 * day)], .setBack(atLeast: 3 * day - 3600)),
      // Another start of a machine whose clock was wrong: it may still be, or not.
      (3 * day, [.pass(60), .restart], .doubtful(least: 0, most: 3 * day)),
      (3 * day, [.set(3 * day), .pass(60), .restart], .doubtful(least: 0, most: 3 * day)),
      (-3 * day, [.pass(60), .restart], .doubtful(least: -3 * day, most: 0)),
      (3 * day, [.restart, .set(-day)], .setBack(atLeast: 4 * day)),
      (-3 * day, [.restart, .set(-4 * day)], .setBack(atLeast: day)),
    ] as [(Double?, [Step], LocalClock)])
  func since(offset: Double?, steps: [Step], expected: LocalClock) {
    let clocks = SetClocks()
    let clock = IssuanceClock(clocks.reading, serverOffset: offset)
    for step in steps {
      switch step {
      case .pass(let seconds): clocks.pass(seconds)
      case .set(let seconds): clocks.set(seconds)
      case .restart: clocks.restart()
      }
    }
    #expect(clock.localClock(at: clocks.reading) == expected)
  }

  @Test("a time since the start that goes backwards is of another one, as in a container that was moved")
  func otherCount() {
    let clock = IssuanceClock(ClockReading(time: .sample, boot: BootTime(id: "one", seconds: 900)))
    let now = ClockReading(time: .sample + 7200, boot: BootTime(id: "one", seconds: 30))
    #expect(clock.localClock(at: now) == .right)
  }

  @Test(
    "without the kernel's word the local clock is all there is",
    arguments: [(7200, .right), (-61, .setBack(atLeast: 61))] as [(Double, LocalClock)])
  func noBootTime(passed: Double, expected: LocalClock) {
    let clock = IssuanceClock(ClockReading(time: .sample, boot: nil))
    #expect(clock.localClock(at: ClockReading(time: .sample + passed, boot: nil)) == expected)
  }

  @Test("the kernel's clock advances, and belongs to this boot")
  func system() throws {
    let (first, second) = (try #require(BootTime.now), try #require(BootTime.now))
    #expect(first.id == second.id && first.id.count == 36)
    #expect(second.seconds >= first.seconds && first.seconds > 0)
  }

  @Test(
    "the text for people",
    arguments: [
      (.right, nil),
      (.off(by: 3 * day), "the local clock is 3d behind the server's: expiry is calculated by the server's"),
      (.off(by: -90), "the local clock is 1m 30s ahead of the server's: expiry is calculated by the server's"),
      (
        .doubtful(least: -3 * day, most: 0),
        "the local clock may be 3d ahead of the server's: if in doubt, the access token counts as expired"
      ),
      (
        .doubtful(least: 0, most: 3 * day),
        "the local clock may be 3d behind the server's: if in doubt, the access token counts as expired"
      ),
      (
        .setBack(atLeast: 3 * day),
        "the local clock is 3d behind the server's, or more: the access token counts as expired"
      ),
    ] as [(LocalClock, String?)])
  func warning(clock: LocalClock, expected: String?) {
    #expect(clock.warning == expected)
  }
}
