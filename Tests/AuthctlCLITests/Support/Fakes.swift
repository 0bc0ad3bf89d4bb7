import Foundation
import Synchronization
import SystemPackage

@testable import AuthctlCLI

/// There is no browser.
struct NoBrowser: Browser {
  let isAvailable = false
  func open(_ url: String) async -> Bool { false }
}

/// A browser that only notes what it is told to open.
final class NotingBrowser: Browser {
  let isAvailable = true
  private let onOpen: @Sendable (String) async -> Bool
  private let urls = Mutex<[String]>([])

  /// Creates one; `onOpen` is what the person does with the page, and whether there was a page.
  init(onOpen: @escaping @Sendable (String) async -> Bool = { _ in true }) { self.onOpen = onOpen }

  /// What was opened.
  var opened: [String] { urls.withLock { $0 } }

  func open(_ url: String) async -> Bool {
    urls.withLock { $0.append(url) }
    return await onOpen(url)
  }
}

/// An editor that changes a file as a test says.
struct FakeEditor: TextEditor {
  /// Why the editor fails, after it has changed the file; nil if it does not.
  var failure: String?
  /// The new text for the old one.
  let change: @Sendable (String) throws -> String

  func edit(_ file: FilePath) async -> String? {
    do {
      let url = URL(filePath: file.string)
      try Data(change(String(contentsOf: url, encoding: .utf8)).utf8).write(to: url)
      return failure
    } catch {
      return "\(error)"
    }
  }
}

/// Keeps the commands of `[on]` and runs none.
final class FakeHooks: HookRunner {
  /// One command and the variables that it was given.
  struct Run: Sendable, Equatable {
    let command: String
    let variables: [String: String]
  }

  private let state = Mutex<[Run]>([])

  /// What was run.
  var runs: [Run] { state.withLock { $0 } }

  func run(_ command: String, variables: [String: String]) async -> String? {
    state.withLock { $0.append(Run(command: command, variables: variables)) }
    return nil
  }
}

/// Keeps the program that this process would become.
final class FakeReplacement: ProcessReplacement {
  private let state = Mutex<(words: [String], variables: [String: String])>(([], [:]))
  private let failure: Errno

  /// Creates one that fails in this way after it was used: no program comes back from becoming another one otherwise.
  init(failure: Errno = .noSuchFileOrDirectory) { self.failure = failure }

  /// The command line.
  var words: [String] { state.withLock { $0.words } }
  /// The variables that were added to the environment.
  var variables: [String: String] { state.withLock { $0.variables } }

  func become(_ words: [String], adding variables: [String: String]) -> Errno {
    state.withLock { $0 = (words, variables) }
    return failure
  }

  func run(_ words: [String], changing variables: [String: String?]) async throws(Errno) -> Int32 {
    state.withLock { $0 = (words, variables.compactMapValues(\.self)) }
    throw failure
  }
}
