import Subprocess
import SystemPackage

/// Opens web pages for the person.
package protocol Browser: Sendable {
  /// Whether there is a browser that could be tried.
  var isAvailable: Bool { get }

  /// Opens a page and returns when the browser's command ends, which may be at once or when the browser is closed.
  ///
  /// - Returns: whether the page was opened, as far as the command tells.
  func open(_ url: String) async -> Bool
}

/// The browser of `$BROWSER`, else the desktop's own.
package struct SystemBrowser: Browser {
  private let environment: [String: String]

  /// Looks at the environment; nothing is started yet.
  package init(environment: [String: String]) {
    self.environment = environment
  }

  package var isAvailable: Bool { !commands.isEmpty }

  /// `$BROWSER` is a list with colons between: each is tried in turn, the page's address in place of `%s` or at the
  /// end.
  private var commands: [[String]] {
    if let stated = environment["BROWSER"], !stated.isEmpty {
      return stated.split(separator: ":").map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
    }
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    return hasDisplay ? [["xdg-open"]] : []
  }

  package func open(_ url: String) async -> Bool {
    for words in commands {
      let hasPlace = words.contains { $0.contains("%s") }
      let line = hasPlace ? words.map { $0.replacing("%s", with: url) } : words + [url]
      // A session of its own: a Ctrl-C for the login is not meant for the browser.
      var options = PlatformOptions()
      options.createSession = true
      let result = try? await run(
        SystemBrowser.executable(line[0]), arguments: Arguments(Array(line.dropFirst())), platformOptions: options,
        input: .none,
        output: .discarded, error: .discarded)
      if result?.terminationStatus.isSuccess == true { return true }
    }
    return false
  }

  /// A name is looked for in `PATH`; anything with a slash is a path already, which no such search would find.
  private static func executable(_ word: String) -> Executable {
    word.contains("/") ? .path(FilePath(word)) : .name(word)
  }
}
