import FoundationEssentials
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("LocalTime") struct LocalTimeTests {
  @Test(
    "a time is written in the zone's offset",
    arguments: [
      (0, "2026-01-02 03:04:05 +00:00"), (3600, "2026-01-02 04:04:05 +01:00"), (-12_600, "2026-01-01 23:34:05 -03:30"),
    ])
  func zone(offset: Int, text: String) {
    let time = LocalTime(now: .sample) { _ in offset }
    #expect(time.text(secondsSince1970: Date.sample.timeIntervalSince1970) == text)
  }

  @Test("a calculated time is in the second that it means")
  func calculated() {
    let time = LocalTime(now: .sample) { _ in 0 }
    let now = Date.sample.timeIntervalSince1970
    #expect(time.text(secondsSince1970: now - 0.000_000_2) == "2026-01-02 03:04:05 +00:00")
    #expect(time.text(secondsSince1970: now + 0.9) == "2026-01-02 03:04:05 +00:00")
  }

  @Test("a number that is no usual date is not written as one", arguments: [-1.0, 1e12, 1e300])
  func range(seconds: Double) {
    #expect(LocalTime(now: .sample) { _ in 0 }.text(secondsSince1970: seconds) == nil)
  }

  @Test("a distance is relative to now")
  func distance() {
    let time = LocalTime(now: .sample) { _ in 0 }
    let now = Date.sample.timeIntervalSince1970
    #expect(time.distance(secondsSince1970: now + 430) == "in 7m 10s")
    #expect(time.distance(secondsSince1970: now - 7200) == "2h ago")
  }
}
