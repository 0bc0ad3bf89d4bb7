import Crypto
import Foundation
import TestSupport
import Testing

@Suite("the particulars of each kind of server, end to end")
struct ServerKindShapeTests {
  @Test("the third kind: responses that are inspected are byte for byte the same", arguments: [1, 65_536, 300_000])
  func untouched(count: Int) throws {
    let place = try Workplace.loggedIn(.flagged)
    let text = "{\"text\":\"" + String(repeating: "x", count: count) + "\"}"
    let fault = #"{"endpoint":"kind3.api","kind":"status","status":418,"body":\#(try encoded(text)),"count":1}"#
    try place.lab.fail(fault)
    let outcome = try place.run("call", "me")
    #expect(outcome.status == 22)
    #expect(outcome.text == text)
  }

  private func encoded(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  @Test("the fifth kind: an image goes byte for byte, with its name and type, and half a megabyte of text")
  func guest() throws {
    let place = try Workplace(kind: .enveloped)
    let image = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }) + Data("\r\n--".utf8)
    let file = place.session.directory.appending(path: "me \"x\".png")
    try image.write(to: file)
    let name = String(repeating: "n\"&\r\n}é", count: 1 << 16)
    let text = place.session.directory.appending(path: "name")
    try Data((name + "\n").utf8).write(to: text)
    let outcome = try place.run("login", "work", "--field", "name=@\(text.path)", "--field", "image=@\(file.path)")
    try #require(outcome.status == 0, "\(outcome.error)")
    let me = try place.run("call", "me").json()
    #expect(me.string("name") == name)
    let sent = try me.object("image")
    #expect(sent.string("file_name") == "me %22x%22.png" && sent.string("type") == "image/png")
    #expect(sent.integer("length") == image.count)
    #expect(
      sent.string("sha256") == SHA256.hash(data: image).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }

  @Test("the fifth kind: an image that is too large is made to fit, and refused where that is not possible")
  func fittedGuest() throws {
    let place = try Workplace()
    func write(_ limits: String) throws {
      try place.write(
        ServerKind.enveloped.profile(place.lab.origin).replacing(
          "\"@{image?}\"", with: "{ file = \"{image?}\", \(limits) }"))
    }
    // Noise of 1500 by 1200 pixels, which no format makes small.
    let file = place.session.directory.appending(path: "me.ppm")
    let noise = (0..<1500 * 1200 * 3).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    try (Data("P6\n1500 1200\n255\n".utf8) + noise).write(to: file)
    let arguments = ["login", "work", "--field", "name=Ada", "--field", "image=@\(file.path)"]
    try write("fit = \"1024x1024\", max_bytes = \"1KB\"")
    let refused = try place.run(arguments)
    refused.expect(2)
    #expect(try place.lab.lastRequests().isEmpty)
    try write("fit = \"1024x1024\", max_bytes = \"5MB\"")
    let outcome = try place.run(arguments)
    try #require(outcome.status == 0, "\(outcome.error)")
    let sent = try place.run("call", "me").json().object("image")
    #expect(sent.string("file_name") == "me.jpg" && sent.string("type") == "image/jpeg")
    #expect((1000...5_000_000).contains(sent.integer("length") ?? 0))
  }

  @Test("an image is decoded by a process that has nothing but its memory, as far as the kernel can")
  func confinedDecoder() throws {
    let place = try Workplace()
    let run = try place.start(["__fit-picture", "", "", ""], input: .held)
    var status = ""
    try Waiting.until("the process is confined") {
      status = try String(contentsOfFile: "/proc/\(run.pid)/status", encoding: .utf8)
      return status.contains("Seccomp:\t2")
    }
    #expect(status.contains("NoNewPrivs:\t1"), "\(status)")
    let limits = try String(contentsOfFile: "/proc/\(run.pid)/limits", encoding: .utf8)
    #expect(limits.contains(/Max address space +2147483648 +2147483648/), "\(limits)")
    kill(run.pid, SIGKILL)
    _ = try run.wait()
  }
}
