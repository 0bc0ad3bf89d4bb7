import Foundation
import Glibc
import TestSupport
import Testing

/// What a person sees at a terminal.
@Suite("call at a terminal, end to end")
struct CallTerminalTests {
  /// A server that responses everything with a body of this type.
  func server(_ body: String, type: String = "application/json", length: Int? = nil) throws -> ScriptedServer {
    try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 200 OK\nContent-Type: \(type)\nContent-Length: \(length ?? body.utf8.count)\n\n")
      try peer.send(Array(body.utf8))
    }
  }

  /// What is on the screen after a call, with the line ends of a file, and the status.
  func screen(_ place: Workplace, _ arguments: [String], environment: [String: String?] = [:]) throws -> (String, Int32)
  {
    let terminal = try PseudoTerminal()
    let run = try place.start(["call", "--no-auth"] + arguments, input: .screen(terminal), environment: environment)
    let screen = try terminal.readToEnd().replacingOccurrences(of: "\r\n", with: "\n")
    return (screen, try run.wait().status)
  }

  @Test("JSON is indented and coloured, --raw prints it as it came, NO_COLOR takes the colours away")
  func json() throws {
    let place = try Workplace(.none)
    let body = #"{"b":1.50,"a":["x"]}"#
    let server = try server(body, type: "application/problem+json; charset=utf-8")
    let plain = "{\n  \"b\": 1.50,\n  \"a\": [\n    \"x\"\n  ]\n}\n"
    let coloured = plain.replacingOccurrences(of: "\"b\"", with: "\u{1B}[1;34m\"b\"\u{1B}[0m")
      .replacingOccurrences(of: "\"a\"", with: "\u{1B}[1;34m\"a\"\u{1B}[0m")
      .replacingOccurrences(of: "\"x\"", with: "\u{1B}[32m\"x\"\u{1B}[0m")
    #expect(try screen(place, [server.base], environment: ["TERM": "xterm"]) == (coloured, 0))
    #expect(try screen(place, [server.base], environment: ["NO_COLOR": "1"]) == (plain, 0))
    #expect(try screen(place, ["--color", "never", server.base]) == (plain, 0))
    #expect(try screen(place, ["--raw", server.base]) == (body, 0))
    #expect(try screen(place, ["-o", "-", server.base]) == (body, 0))
  }

  @Test("in a pipe it is the body, byte for byte, unless colours are asked for")
  func pipe() throws {
    let place = try Workplace(.none)
    let server = try server(#"[1 ,2]"#)
    #expect(try place.run("call", "--no-auth", server.base).text == "[1 ,2]")
    #expect(try place.run("call", "--no-auth", "--color", "always", server.base).text == "[\n  1,\n  2\n]\n")
    #expect(try place.run("call", "--no-auth", "--color", "always", "--raw", server.base).text == "[1 ,2]")
  }

  @Test("JSON that breaks off, and what is not JSON, is printed as it came")
  func asItCame() throws {
    let place = try Workplace(.none)
    let broken = try server(#"{"a" :1,"#, length: 99)
    let (text, status) = try screen(place, [broken.base], environment: ["NO_COLOR": "1"])
    #expect(text.hasPrefix("{\"a\" :1,\nauthctl: ") && status == 5, "the error has a line of its own: \(text)")
    for (body, type) in [
      ("{oh :no}", "application/json"), ("{\"a\" :1}", "text/plain"), ("{\"a\" :1}\n", "application/x-ndjson"),
    ] {
      let other = try server(body, type: type)
      #expect(try screen(place, [other.base]) == (body, 0))
    }
  }

  @Test(
    "the error of a response has a line of its own, whether or not the body ends in one", arguments: ["Oops", "Oops\n"])
  func ownLine(body: String) throws {
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 500 No\nContent-Type: text/html\nContent-Length: \(body.utf8.count)\n\n")
      try peer.send(Array(body.utf8))
    }
    let (text, status) = try screen(Workplace(.none), [server.base], environment: ["NO_COLOR": "1"])
    #expect(text.hasPrefix("Oops\nauthctl: GET ") && status == 22, "\(text)")
  }

  @Test("with -v, a body without a line end does not run into the trace; in a file of its own it stays as it is")
  func traceLine() throws {
    let place = try Workplace(.none)
    let server = try server("Oops", type: "text/plain")
    for place in try [
      screen(place, ["-v", server.base, server.base]), screen(place, ["-vv", "-o", "-", server.base]),
    ] {
      #expect(place.0.contains("Oops") && place.1 == 0)
      #expect(!place.0.contains("Oops["), "\(place.0)")
    }
    let (both, _) = try screen(place, ["-v", server.base, server.base])
    #expect(both.contains("Oops\n[") && !both.contains("Oops\n\n["), "\(both)")
    #expect(try place.run("call", "--no-auth", "-v", server.base, server.base).text == "OopsOops")
    let (written, _) = try screen(place, ["-v", "-w", "x", server.base, server.base])
    #expect(written.contains("Oopsx\n["), "\(written)")
  }

  @Test("each of several values in one response is shown before the next one arrives")
  func stream() throws {
    let place = try Workplace(.none)
    let seen = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 200 OK\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n")
      for number in 1...2 {
        try peer.send("7\n{\"n\":\(number)}\n")
        seen.wait()
      }
      try peer.send("0\n\n")
    }
    let terminal = try PseudoTerminal()
    let run = try place.start(["call", "--no-auth", "--color", "never", server.base], input: .screen(terminal))
    for number in 1...2 {
      _ = try terminal.read(until: "\"n\": \(number)\r\n}")
      seen.signal()
    }
    #expect(try run.wait().status == 0)
  }

  @Test("binary is refused with status 1, also as JSON, and -o - or a file takes it")
  func binary() throws {
    let place = try Workplace(.none)
    for type in ["application/octet-stream", "application/json"] {
      let server = try server("ab\0cd", type: type)
      let (text, status) = try screen(place, [server.base])
      #expect(status == 1 && text.contains("it is binary") && text.contains("-o -") && !text.contains("ab\0"))
      #expect(try screen(place, ["-s", server.base]) == ("", 1))
      #expect(try screen(place, ["-o", "-", server.base]) == ("ab\0cd", 0))
      #expect(try place.run("call", "--no-auth", server.base).text == "ab\0cd")
    }
  }

  @Test("as in curl, binary bytes late in a text do not stop the output")
  func lateBinary() throws {
    let place = try Workplace(.none)
    let text = String(repeating: "x", count: 2500)
    let seen = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 200 OK\nContent-Length: 2502\n\n")
      try peer.send(Array(text.utf8))
      seen.wait()
      try peer.send(Array("\0y".utf8))
    }
    let terminal = try PseudoTerminal()
    let run = try place.start(["call", "--no-auth", server.base], input: .screen(terminal))
    #expect(try terminal.read(until: text) == text)
    seen.signal()
    #expect(try terminal.readToEnd() == "\0y")
    #expect(try run.wait().status == 0)
  }

  @Test(
    "a transfer that lasts is shown on the terminal, and its last line is left standing",
    arguments: [([], "% Total    % Received", "100     8  100     8"), (["-#"], "  50.0%", " 100.0%\r\n")])
  func progress(options: [String], first: String, last: String) throws {
    let place = try Workplace(.none)
    let seen = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 200 OK\nContent-Length: 8\n\nhalf")
      seen.wait()
      try peer.send("half")
    }
    let terminal = try PseudoTerminal()
    let run = try place.start(["call", "--no-auth", server.base] + options, input: .terminal(terminal))
    _ = try terminal.read(until: first)
    seen.signal()
    let rest = try terminal.readToEnd()
    #expect(rest.contains(last) && rest.hasSuffix("\r\n"))
    let outcome = try run.wait()
    #expect(outcome.status == 0 && outcome.text == "halfhalf")
  }

  @Test(
    "no progress with -s, with -q, with the body on the terminal, in a pipe, and for short transfers",
    arguments: [["-s"], ["-q"], ["screen"], ["pipe"], ["quick"]])
  func noProgress(options: [String]) throws {
    let place = try Workplace(.none)
    let mode = options[0].hasPrefix("-") ? "terminal" : options[0]
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 200 OK\nContent-Length: 8\n\nhalf")
      // Longer than it takes for progress to be shown.
      if mode != "quick" { usleep(1_600_000) }
      try peer.send("half")
    }
    let words = ["call", "--no-auth", server.base] + options.filter { $0.hasPrefix("-") }
    if mode == "pipe" {
      let outcome = try place.run(words)
      #expect(outcome.text == "halfhalf" && outcome.error.isEmpty)
      return
    }
    let terminal = try PseudoTerminal()
    let run = try place.start(words, input: mode == "screen" ? .screen(terminal) : .terminal(terminal))
    let (shown, outcome) = (try terminal.readToEnd(), try run.wait())
    #expect(outcome.status == 0)
    // On a machine that is busy, a transfer may last that is meant to be short.
    #expect(shown == (mode == "screen" ? "halfhalf" : "") || mode == "quick" && outcome.seconds > 0.5, "\(shown)")
  }
}
