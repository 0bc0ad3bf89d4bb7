import AuthCore
import Subprocess
import SystemPackage

/// Opens web pages for the user.
package protocol Browser: Sendable {
  /// Whether there is a browser to try.
  var isAvailable: Bool { get }

  /// Opens a page and returns when the browser's command ends. This may be at once or when the browser is closed.
  ///
  /// - Returns: whether the page was opened, according to the command's exit status.
  func open(_ url: String) async -> Bool
}

/// The browser of `$BROWSER`, else the desktop's own.
package struct SystemBrowser: Browser {
  private let environment: [String: String]

  /// Creates the browser from the environment; starts nothing.
  package init(environment: [String: String]) {
    self.environment = environment
  }

  package var isAvailable: Bool { !commands.isEmpty }

  /// The commands to try, in order. `$BROWSER` is a list separated by colons; the URL replaces `%s`, or is appended.
  private var commands: [[String]] {
    if let stated = environment["BROWSER"], !stated.isEmpty {
      return stated.split(atAny: ":").map { $0.split(atAny: " ").map(String.init) }.filter { !$0.isEmpty }
    }
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    return hasDisplay ? [["xdg-open"]] : []
  }

  package func open(_ url: String) async -> Bool {
    for words in commands {
      let hasPlace = words.contains { $0.contains(bytes: "%s") }
      let line = hasPlace ? words.map { $0.replacing(bytes: "%s", with: url) } : words + [url]
      // A separate session: Ctrl-C during the login must not end the browser.
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

  /// Returns the executable for a word. A name is searched for in `PATH`; a word with a slash is a path.
  private static func executable(_ word: String) -> Executable {
    word.contains(bytes: "/") ? .path(FilePath(word)) : .name(word)
  }
}
