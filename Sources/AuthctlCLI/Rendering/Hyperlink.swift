import AuthCore

/// Links in a terminal's text: the escape sequence OSC 8.
///
/// Terminals that do not know the sequence should ignore it, but some print it. It is printed only on known terminals.
struct Hyperlink: Sendable {
  /// The longest URL that every terminal accepts, in bytes (VTE's limit).
  private static let longest = 2083

  /// Returns a URL as a link to itself; nil if no terminal could open it.
  static func text(_ url: String) -> String? {
    guard url.isVisibleASCII, url.utf8.count <= longest else { return nil }
    return "\u{1B}]8;;\(url)\u{1B}\\\(url)\u{1B}]8;;\u{1B}\\"
  }

  /// Returns whether the terminal of an environment is known to support links.
  static func isSupported(in environment: [String: String]) -> Bool {
    let term = environment["TERM"] ?? ""
    // A terminal multiplexer hides the terminal, whose variables it may have inherited.
    let isMultiplexed = ["TMUX", "STY"].contains { environment[$0]?.isEmpty == false }
    guard !isMultiplexed, !["", "dumb", "linux"].contains(term), !term.starts(withBytes: "screen"),
      !term.starts(withBytes: "tmux")
    else { return false }
    return isKnown(term: term) || isKnown(program: environment) || isNewVTE(environment["VTE_VERSION"])
      || environment["WT_SESSION"] != nil || environment["DOMTERM"] != nil
      || environment["KONSOLE_VERSION"].flatMap { Int($0) }.map { $0 >= 201_200 } == true
  }

  private static func isKnown(term: String) -> Bool {
    ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour", "wezterm"].contains { name in
      term == name || term.starts(withBytes: name + "-")
    }
  }

  private static func isKnown(program environment: [String: String]) -> Bool {
    // The first version that supports links; the other programs always have.
    let first = [
      "iTerm.app": [3, 1], "WezTerm": [20_200_620], "vscode": [1, 72], "ghostty": [], "rio": [], "zed": [],
    ]
    guard let needed = first[environment["TERM_PROGRAM"] ?? ""] else { return false }
    let version = (environment["TERM_PROGRAM_VERSION"] ?? "").split { !$0.isASCII || !$0.isNumber }.map { Int($0) ?? 0 }
    return !version.lexicographicallyPrecedes(needed)
  }

  /// Whether the version of VTE (GNOME Terminal and others) supports links. 0.50.0 does, and crashes.
  private static func isNewVTE(_ version: String?) -> Bool {
    guard let number = version.flatMap({ Int($0) }) else { return false }
    return number > 5000
  }
}
