import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("IssuanceClock")
struct IssuanceClockTests {
  @Test(
    "an offset that a slow response cannot explain is the server's, from more than a minute on",
    arguments: [
      (0, 0, nil), (60, 0, nil), (61, 0, 61), (259_200, 0, 259_200), (259_200, 20, 259_180), (80, 20, nil),
      (81, 20, 61), (-60, 0, nil), (-61, 0, nil), (-62, 0, -62), (-259_201, 0, -259_201), (-259_201, 20, -259_221),
      // From a machine that begins at 1970, and from servers without sense.
      (-1_767_323_045, 0, -1_767_323_045), (-1_767_323_046, 0, nil), (1e10, 0, nil),
    ] as [(Double, Double, Double?)])
  func serverOffset(ahead: Double, latency: Double, expected: Double?) {
    let clocks = SetClocks()
    let sent = clocks.reading
    clocks.pass(latency)
    let clock = IssuanceClock(sent: sent, received: clocks.reading, serverDate: .sample + ahead)
    #expect(clock.serverOffset == expected)
    #expect(clock.reading == sent)
    #expect(clock.issuedAt == .sample + (expected ?? 0))
  }

  @Test("a local clock that is set during a request does not make the response slow")
  func setMeanwhile() {
    let clocks = SetClocks()
    let sent = clocks.reading
    clocks.set(3 * 86400)
    let clock = IssuanceClock(sent: sent, received: clocks.reading, serverDate: .sample + 3 * 86400)
    #expect(clock.serverOffset == 259_200)
  }

  @Test("a server that does not report its time has no offset")
  func noDate() {
    let reading = SetClocks().reading
    #expect(IssuanceClock(sent: reading, received: reading, serverDate: nil).serverOffset == nil)
  }

  @Test(
    "the time of issuance is stored within the pair, and read back",
    arguments: [
      (
        IssuanceClock(ClockReading(time: .sample, boot: BootTime(id: "b", seconds: 12.3456)), serverOffset: -90),
        #"{"boot_id":"b","server_offset":-90,"time":"2026-01-02T03:04:05Z","uptime":12.346}"#
      ), (IssuanceClock(ClockReading(time: .sample, boot: nil)), #"{"time":"2026-01-02T03:04:05Z"}"#),
    ])
  func stored(clock: IssuanceClock, expected: String) throws {
    var pair = samplePair()
    pair.clock = clock
    let stored = try pair.stored()
    #expect(stored.exposed.contains("\"clock\":\(expected),"))
    #expect(try TokenPair(stored: stored).stored() == stored)
    #expect(try TokenPair(stored: stored).clock?.serverOffset == clock.serverOffset)
  }

  @Test("numbers that cannot be dates are ignored", arguments: [#""uptime":-1"#, #""server_offset":1e300"#])
  func nonsense(member: String) throws {
    let text =
      #"{"access_token":"a","clock":{"boot_id":"b","time":"2026-01-02T03:04:05Z",\#(member)},"#
      + #""issued_at":"2026-01-02T03:04:05Z","logged_in_at":"2026-01-02T03:04:05Z","token_type":"Bearer","version":1}"#
    let clock = try TokenPair(stored: Secret(text)).clock
    #expect(clock == IssuanceClock(ClockReading(time: .sample, boot: nil)))
  }
}
