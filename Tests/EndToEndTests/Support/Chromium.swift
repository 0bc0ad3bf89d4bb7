import Foundation
import TestSupport

/// A real Chromium with a person who logs in. All its visits have one profile, which ends with it.
final class Chromium {
  /// What the person does on the consent page.
  enum Action: String, Encodable {
    case approve, deny
  }

  /// What a login looks like to the person.
  struct Visit: Decodable {
    /// The title of the last page.
    let title: String
    /// The visible text of the last page.
    let text: String
    /// How many scripts the last page has.
    let scripts: Int
    /// From the authorization URL to the last page.
    let seconds: Double
    /// The errors and warnings of the last page.
    let console: [String]
    /// What the last page has loaded, or has tried to.
    let requests: [String]
    /// What the whole visit has requested from elsewhere than the loopback interface.
    let foreign: [String]
    /// The last page on each screen, in each colour scheme: `phone-dark`, ….
    let views: [String: View]
  }

  /// A page on one screen, in one colour scheme.
  struct View: Decodable {
    /// How many pixels it is wider than the screen.
    let overflow: Double
    /// The lowest contrast of its texts with what is behind them (WCAG 2.2, section 1.4.3).
    let contrast: Double
    /// The colour behind everything.
    let back: String
    /// The file of the screenshot.
    let image: String
  }

  private struct Order: Encodable {
    let url, user, password, images: String
    let action: Action
  }

  /// What a page looks like, before and after a click.
  struct Look: Decodable {
    /// The title.
    let title: String
    /// The visible text before the click.
    let text: String
    /// How many scripts the page has.
    let scripts: Int
    /// Whether the click has opened a `details` element.
    let opened: Bool
    /// How many steps a second click has dimmed.
    let dimmed: Int
    /// The errors and warnings of the page.
    let console: [String]
    /// What the page has loaded, or has tried to.
    let requests: [String]
    /// What has been requested from elsewhere than the loopback interface.
    let foreign: [String]
    /// The page on each screen, in each colour scheme: `phone-dark`, ….
    let views: [String: View]
    /// The same after the click.
    let openViews: [String: View]
  }

  private struct PageOrder: Encodable {
    let page, open, choose, images: String
  }

  private struct Failure: Decodable { let failure: String }

  private let process: ProgramRun
  private let folder: URL
  private let keepsImages: Bool

  /// Starts it. The screenshots are kept where `AUTHCTL_SCREENSHOTS` names a folder.
  /// - Throws: `SessionError` if it does not start.
  init() throws {
    let environment = ProcessInfo.processInfo.environment
    let kept = environment["AUTHCTL_SCREENSHOTS"]
    keepsImages = kept != nil
    folder = kept.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process = try ProgramRun(
      "/usr/bin/python3", ["-B", Workplace.servers.appending(path: "chromium.py").path], input: .held,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], folder: FileManager.default.temporaryDirectory)
    _ = try process.waitUntilItServes("chromium")
  }

  deinit {
    process.send(SIGTERM)
    _ = try? process.wait(seconds: 600)
    if !keepsImages { try? FileManager.default.removeItem(at: folder) }
  }

  /// Logs in as `alice` at an authorization URL, and looks at the page that the login shows at its end.
  ///
  /// - Parameter name: the beginning of the screenshots' names.
  /// - Throws: `SessionError` if the login does not come to its last page.
  func visit(_ url: String, _ action: Action = .approve, password: String = Workplace.password, name: String) throws
    -> Visit
  {
    let order = Order(
      url: url, user: "alice", password: password, images: folder.appending(path: name).path, action: action)
    return try result(of: order, as: Visit.self, name)
  }

  /// Looks at a page in a file, and clicks twice.
  ///
  /// - Parameters:
  ///   - first: the selector of an element that opens a `details` element.
  ///   - second: the selector of an element that chooses a token.
  ///   - name: the beginning of the screenshots' names.
  /// - Throws: `SessionError` if the page can't be shown.
  func look(at page: URL, opening first: String, choosing second: String, name: String) throws -> Look {
    let order = PageOrder(
      page: page.absoluteString, open: first, choose: second, images: folder.appending(path: name).path)
    return try result(of: order, as: Look.self, name)
  }

  private func result<Result: Decodable>(of order: some Encodable, as type: Result.Type, _ name: String) throws
    -> Result
  {
    let before = lines.count
    try process.write(String(decoding: JSONEncoder().encode(order), as: UTF8.self) + "\n")
    try Waiting.until("the visit \(name)") { lines.count > before }
    let line = Data(lines[before].utf8)
    if let failure = try? JSONDecoder().decode(Failure.self, from: line) { throw SessionError(failure.failure) }
    return try JSONDecoder().decode(Result.self, from: line)
  }

  /// The whole lines that it has printed.
  private var lines: [Substring] {
    process.outputSoFar.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }
}
