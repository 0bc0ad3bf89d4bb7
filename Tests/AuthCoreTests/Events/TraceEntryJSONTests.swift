import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("TraceEntry as JSON") struct TraceEntryJSONTests {
  /// An event, its name in a trace file, and its details there.
  private struct Sample {
    let event: AuthEvent
    let name: String
    let details: String

    init(_ event: AuthEvent, _ name: String, _ details: String = "{}") {
      (self.event, self.name, self.details) = (event, name, details)
    }
  }

  private static let time = #""2026-01-02T03:04:05Z""#
  private static let process = RefreshingProcess(pid: 7, isInBackground: true)
  private static let samples = [
    Sample(.loaded(access: "a", expiresAt: .sample), "loaded", #"{"access":"a","expires_at":\#(time)}"#),
    Sample(.usable(access: "a", because: "b"), "usable", #"{"access":"a","because":"b"}"#),
    Sample(.cached(access: "a", seconds: 3), "cached", #"{"access":"a","seconds":3}"#),
    Sample(.notCached(because: "b"), "not_cached", #"{"because":"b"}"#),
    Sample(.waiting, "waiting"),
    Sample(
      .adopted(access: "a", by: process, age: 1.5), "adopted",
      #"{"access":"a","age":1.5,"by":{"background":true,"pid":7}}"#),
    Sample(.cutShort(began: .sample), "cut_short", #"{"began":\#(time)}"#),
    Sample(.refreshing(because: "b"), "refreshing", #"{"because":"b"}"#),
    Sample(
      .refreshed(access: "a", refreshTokenRotated: true, expiresAt: .sample), "refreshed",
      #"{"access":"a","expires_at":\#(time),"refresh_token_rotated":true}"#),
    Sample(.saved(access: "a"), "saved", #"{"access":"a"}"#),
    Sample(.putBack(access: "a"), "put_back", #"{"access":"a"}"#),
    Sample(.refreshFailed(reason: "b"), "refresh_failed", #"{"reason":"b"}"#),
    Sample(.retrying(reason: "b", pause: 1.5), "retrying", #"{"pause":1.5,"reason":"b"}"#),
    Sample(.pausing(because: "b", pause: 1.5), "pausing", #"{"because":"b","pause":1.5}"#),
    Sample(.loginRequired(reason: "b"), "login_required", #"{"reason":"b"}"#),
    Sample(.replaying(status: 401), "replaying", #"{"status":401}"#),
    Sample(.refusedAgain(status: 401, pause: 1.5), "refused_again", #"{"pause":1.5,"status":401}"#),
    Sample(.retryingWithNonce, "proving_anew"), Sample(.clockDiffers(by: 1.5), "clock_differs", #"{"by":1.5}"#),
    Sample(.discovered(url: "u"), "discovered", #"{"url":"u"}"#), Sample(.revoked, "revoked"),
    Sample(.cleared, "cleared"), Sample(.warning("w"), "warning", #"{"text":"w"}"#),
  ]

  private func entry(_ step: TraceEntry.Step) -> TraceEntry {
    TraceEntry(number: 1, time: .sample, offset: 0, process: 1, isInBackground: false, step: step)
  }

  @Test("a request, an event and a note have the members that readers of a trace know")
  func members() throws {
    func keys(_ value: JSONValue?) throws -> [String] {
      try JSONObject(Data(try #require(value).text().utf8)).keys
    }
    let common = ["background", "number", "offset_ms", "process", "time"]
    #expect(try keys(entry(.note("n")).json) == (common + ["note"]).sorted())
    #expect(try keys(entry(.event(.waiting)).json) == (common + ["details", "event", "text"]).sorted())
    var exchange = TraceExchange(role: .api, method: "POST", url: "https://api.example/")
    exchange.requestBody = .init(text: "a", mediaType: "text/plain", size: 1)
    exchange.failure = "lost"
    let failed = entry(.exchange(exchange)).json
    let request = ["request", "role", "timings_ms"]
    #expect(try keys(failed) == (common + request + ["failure"]).sorted())
    #expect(try keys(failed["request"]) == ["body", "headers", "method", "url"])
    #expect(try keys(failed["request"]?["body"]) == ["cut", "media_type", "size", "text"])
    (exchange.failure, exchange.status, exchange.remote) = (nil, 200, "192.0.2.7:443")
    exchange.responseBody = exchange.requestBody
    (exchange.timings.dns, exchange.timings.connect, exchange.timings.tls) = (1, 1, 1)
    (exchange.timings.wait, exchange.timings.receive) = (1, 1)
    let answered = entry(.exchange(exchange)).json
    #expect(try keys(answered) == (common + request + ["remote", "response"]).sorted())
    #expect(try keys(answered["response"]) == ["body", "headers", "http_version", "status"])
    #expect(try keys(answered["timings_ms"]) == ["connect", "dns", "receive", "tls", "total", "wait"])
  }

  @Test("each event has the name and the members on which readers of a trace rely, and can be read again")
  func names() throws {
    var keys: Set<String> = []
    for sample in Self.samples {
      let json = entry(.event(sample.event)).json
      #expect(json["event"]?.string == sample.name)
      #expect(try json["details"]?.text() == sample.details)
      let data = try JSONEncoder().encode(sample.event)
      #expect(try JSONDecoder().decode(AuthEvent.self, from: data) == sample.event)
      keys.formUnion(try JSONObject(data).keys)
    }
    #expect(keys == Set(AuthEvent.CodingKeys.allCases.map(\.stringValue)), "each event is among the samples")
    #expect(keys.contains("provingAnew"))
  }
}
