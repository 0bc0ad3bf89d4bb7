import Foundation
import TestSupport
import Testing

@Suite("the line of call --print-curl, end to end")
struct PrintCurlTests {
  /// What the API was sent by the line that is printed for a call, run by bash.
  private func sentByLine(_ place: Workplace, _ words: [String]) throws -> String {
    let printed = try place.run(["call", "--print-curl"] + words)
    try #require(printed.status == 0, "\(printed.error)")
    var environment = place.session.environment
    environment["TOKEN"] = try place.pair().string("access_token")
    let outcome = try ProgramRun(
      "/bin/bash", ["-c", printed.text], environment: environment, folder: place.session.directory
    ).wait()
    try #require(outcome.status == 0, "\(outcome.error)")
    return comparable(outcome.text)
  }

  private func sentByCall(_ place: Workplace, _ words: [String]) throws -> String {
    let outcome = try place.run(["call"] + words)
    try #require(outcome.status == 0, "\(outcome.error)")
    return comparable(outcome.text)
  }

  private func comparable(_ text: String) -> String { text.replacing(/(curl|authctl)\/[0-9.]+/, with: "any") }

  @Test(
    "curl sends what call sends, the position of the token included",
    arguments: [
      ["echo"], ["-X", "DELETE", "echo/7?a=[1]{2}"],
      ["-d", "a=$HOME `id` \"b\" \\ 'c' !", "-H", "X-Shell: $TOKEN", "echo"],
      ["-G", "--data-urlencode", "q=a b&c", "echo"],
    ])
  func same(words: [String]) throws {
    let place = try Workplace.loggedIn()
    let seen = try sentByLine(place, words)
    #expect(try seen == sentByCall(place, words))
    #expect(try seen.contains(#require(place.pair().string("access_token"))))
  }

  @Test("the profile's header and [network] are those of call; files are read by curl")
  func profile() throws {
    let place = try Workplace.loggedIn(
      tables: """
        [header]
        name = "X-Key"
        prefix = "a$HOME `id` !"
        [network]
        connect_timeout = 5
        timeout = "20s"
        """)
    let data = place.session.directory.appending(path: "my data")
    try Data("line\n'quoted'\n".utf8).write(to: data)
    let words = ["-T", data.path, place.lab.origin + "/open/echo/"]
    let seen = try sentByLine(place, words)
    #expect(try seen == sentByCall(place, words))
    #expect(seen.contains("a$HOME `id` !"))
  }
}
