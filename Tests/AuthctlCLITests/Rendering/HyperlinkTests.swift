import Testing

@testable import AuthctlCLI

@Suite("Hyperlink") struct HyperlinkTests {
  @Test(
    "terminals that are known to support links get them",
    arguments: [
      ["TERM": "xterm-256color", "VTE_VERSION": "6003"], ["TERM": "xterm-256color", "VTE_VERSION": "5001"],
      ["TERM": "xterm-kitty"], ["TERM": "foot"], ["TERM": "foot-extra"], ["TERM": "alacritty"],
      ["TERM": "xterm-ghostty"], ["TERM": "xterm-256color", "KONSOLE_VERSION": "220401"],
      ["TERM": "xterm-256color", "WT_SESSION": "0"], ["TERM": "xterm-256color", "DOMTERM": "version=2"],
      ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.95.1"],
      ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.1"],
      ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20240203-110809-5046fc22"],
      ["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"],
    ])
  func supported(environment: [String: String]) {
    #expect(Hyperlink.isSupported(in: environment))
  }

  @Test(
    "all others do not: unknown and old ones, and a multiplexer that hides the terminal",
    arguments: [
      [:], ["TERM": "dumb", "VTE_VERSION": "6003"], ["TERM": "linux", "VTE_VERSION": "6003"],
      ["VTE_VERSION": "6003"], ["TERM": "xterm"], ["TERM": "xterm-256color"], ["TERM": "footprint"],
      ["TERM": "xterm-256color", "VTE_VERSION": "5000"], ["TERM": "xterm-256color", "VTE_VERSION": "4601"],
      ["TERM": "xterm-256color", "VTE_VERSION": "new"], ["TERM": "xterm-256color", "KONSOLE_VERSION": "200803"],
      ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.71.2"],
      ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.0.15"],
      ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"],
      ["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal", "TERM_PROGRAM_VERSION": "455"],
      ["TERM": "tmux-256color", "VTE_VERSION": "6003"], ["TERM": "screen.xterm-256color", "VTE_VERSION": "6003"],
      ["TERM": "xterm-256color", "VTE_VERSION": "6003", "TMUX": "/tmp/tmux-0/default,1,0"],
      ["TERM": "xterm-kitty", "STY": "1.pts"],
    ])
  func unsupported(environment: [String: String]) {
    #expect(!Hyperlink.isSupported(in: environment))
  }

  @Test("a link shows the whole URL, so that it can be copied")
  func text() {
    let url = "https://id.example.com/authorize?a=b"
    #expect(Hyperlink.text(url) == "\u{1B}]8;;\(url)\u{1B}\\\(url)\u{1B}]8;;\u{1B}\\")
  }

  @Test(
    "a URL that could end the sequence, or is too long for a terminal, is no link",
    arguments: ["https://id.example/\u{1B}\\x", "https://id.example/\u{7}", "https://id.example/ü", "a b"])
  func unusable(url: String) {
    #expect(Hyperlink.text(url) == nil)
    #expect(Hyperlink.text("https://id.example/" + String(repeating: "x", count: 2100)) == nil)
  }
}
