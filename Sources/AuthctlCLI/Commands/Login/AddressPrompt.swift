import AuthCore
import Synchronization

/// Takes the address at which the browser ends, if the browser is on another machine: from the terminal, or from
/// standard input with `--complete`.
///
/// The address has the code. It is not shown, and no log has it.
final class AddressPrompt: Sendable {
  private let listener: LoopbackListener
  private let context: Context
  private let readsInput: Bool
  private let state = Mutex(State.waiting)

  private enum State {
    case waiting, offered, closed
  }

  init(_ arguments: LoginArguments, _ listener: LoopbackListener, _ context: Context) {
    self.listener = listener
    self.context = context
    readsInput = arguments.completes || context.console.terminals.input && !context.verbosity.nonInteractive
  }

  /// Says, once, how a browser on another machine can return, and begins to take its address.
  func offer() {
    let isFirst = state.withLock { state in
      guard state == .waiting else { return false }
      state = .offered
      if readsInput { context.console.setEcho(false) }
      return true
    }
    guard isFirst, !context.verbosity.quiet else { return }
    context.console.note("If the browser is on another machine, run this there first:")
    context.console.note("  ssh -N -L \(listener.forwarding) USER@HOST")
    guard readsInput else { return }
    context.console.note(
      context.console.terminals.input
        ? "or paste the address that the browser shows at the end, and press Enter (it is not shown):"
        : "or write the address that the browser shows at the end to standard input.")
  }

  /// Ends the offer: the terminal shows again what is typed.
  func close() {
    state.withLock { state in
      if state == .offered, readsInput { context.console.setEcho(true) }
      state = .closed
    }
  }

  /// Reads lines until `take` accepts the fields of an address, or the task is cancelled.
  func read(_ take: ([FormField]) async -> Bool) async {
    guard readsInput else { return }
    var pending: [UInt8] = []
    while !Task.isCancelled {
      if state.withLock({ $0 == .offered }) {
        let typed = context.console.takeInput()
        pending += typed ?? [newline]
        while let end = pending.firstIndex(of: newline) {
          let line = Array(pending[..<end])
          pending.removeSubrange(...end)
          if let fields = fields(of: line), await take(fields) { return }
        }
        // At a terminal, Ctrl-D is not the end.
        if typed == nil, !context.console.terminals.input { return }
        if pending.count > AddressPrompt.longest { pending = [] }
      }
      // A cancelled wait ends the loop.
      try? await ContinuousClock().sleep(for: .milliseconds(100), tolerance: .milliseconds(20))
    }
  }

  private let newline = UInt8(ascii: "\n")
  private static let longest = 64 << 10
  /// The characters of a line that Linux takes from a terminal (termios(3), canonical mode).
  private static let longestTyped = 4095

  /// Returns the fields of a line; nil, after a message, if it is not an address of this login.
  private func fields(of line: [UInt8]) -> [FormField]? {
    let isBlank = { (byte: UInt8) in byte <= 0x20 }
    guard !line.allSatisfy(isBlank) else { return nil }
    if context.console.terminals.input, line.count >= AddressPrompt.longestTyped {
      note("the terminal cuts a line after \(AddressPrompt.longestTyped) characters: use --complete with a pipe")
      return nil
    }
    let text = line.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    if let fields = listener.fields(ofAddress: Array(text)) { return fields }
    note("this is not the whole address, which begins with \(listener.redirectURI)?; paste it again")
    return nil
  }

  private func note(_ text: String) { context.console.note("authctl: \(text)") }
}

extension LoopbackListener {
  /// Returns the fields of an address at the redirect URI; nil if it is another address.
  func fields(ofAddress address: [UInt8]) -> [FormField]? {
    let isRoot = redirectURI.utf8.count(where: { $0 == UInt8(ascii: "/") }) == 2
    // A browser adds the slash of an empty path.
    for base in isRoot ? [redirectURI, redirectURI + "/"] : [redirectURI] where address.starts(with: (base + "?").utf8)
    {
      let query = address.dropFirst(base.utf8.count + 1).prefix { $0 != UInt8(ascii: "#") }
      return FormEncoding.decode(String(decoding: query, as: UTF8.self))
    }
    return nil
  }
}

extension Context {
  /// Whether the user has come to this machine over SSH: the browser is probably on another one.
  var isRemote: Bool { variable("SSH_CONNECTION") != nil || variable("SSH_TTY") != nil }
}
