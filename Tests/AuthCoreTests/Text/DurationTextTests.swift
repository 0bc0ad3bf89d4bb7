import Testing

@testable import AuthCore

@Suite("DurationText")
struct DurationTextTests {
  @Test(
    "durations are read as people write them",
    arguments: [
      ("90s", 90), ("15m", 900), ("2h", 7200), ("30d", 2_592_000), ("45", 45), ("0", 0), ("0s", 0), ("1.5h", 5400),
      ("0.5", 0.5),
    ])
  func parsed(text: String, seconds: Double) {
    #expect(DurationText.parse(text)?.seconds == seconds)
  }

  @Test(
    "anything else is not a duration",
    arguments: [
      "", "s", "-1", "-1s", "+1", "1w", "1 s", " 1", "1s ", "1h30m", "1.2.3", ".5", "1e3", "inf", "nan", "0x10", "٣",
      "99999999999d",
    ])
  func refused(text: String) {
    #expect(DurationText.parse(text) == nil)
  }

  @Test(
    "seconds are written in the two largest units",
    arguments: [
      (0, "0s"), (42, "42s"), (59.9, "59s"), (60, "1m"), (3900, "1h 5m"), (3601, "1h"), (90061, "1d 1h"),
      (86400, "1d"), (-5, "0s"),
    ])
  func described(seconds: Double, text: String) {
    #expect(DurationText.describe(seconds) == text)
  }

  @Test(
    "a difference that is not exact is rounded to the nearest of the smaller unit",
    arguments: [
      (259_199, "3d"), (259_201, "3d"), (174_601, "2d 1h"), (86399, "1d"), (86369, "23h 59m"),
      (3599.6, "1h"), (3689, "1h 1m"), (90.4, "1m 30s"), (0, "0s"),
    ])
  func about(seconds: Double, text: String) {
    #expect(DurationText.describe(about: seconds) == text)
  }

  @Test("no number is too large or too strange to be written", arguments: [1e300, -1e300, .infinity, .nan])
  func extremes(seconds: Double) {
    #expect(!DurationText.describe(seconds).isEmpty)
  }

  @Test(
    "the seconds until an expiry are rounded down, before and after it",
    arguments: [
      (600, 600, "0s"), (599.999, 599, "0s"), (599.999_999_9, 600, "0s"), (0.4, 0, "0s"), (-0.4, -1, "1s"),
      (-60, -60, "1m"), (-59.5, -60, "1m"),
    ])
  func wholeSeconds(left: Double, shown: Int64, since: String) {
    #expect(DurationText.wholeSeconds(left) == shown)
    #expect(DurationText.describe(left) == DurationText.describe(Double(shown)))
    #expect(DurationText.describe(since: left) == since)
  }
}
