package import AuthCore
package import FoundationEssentials
import Synchronization
package import SystemPackage

/// All that a command may touch. What costs time to open is opened when it is first asked for.
package struct Context: Sendable {
  /// The name by which the person calls the program.
  package var program: ProgramName
  /// The process's environment.
  package var environment: [String: String]
  /// Where words come from and go to.
  package var console: any Console
  /// Makes what sends requests.
  package var transport: @Sendable () -> any HTTPTransport
  /// Makes what sends many requests at the same time.
  package var parallelTransport: @Sendable () -> any HTTPTransport
  /// Begins to load what sends requests, in the background: for a command that is sure to send one.
  package var prepareTransport: @Sendable () -> Void
  /// Makes what keeps secrets; `prompting` lets it ask the person to unlock the keyring.
  package var secrets: @Sendable (_ prompting: Bool) -> any SecretStore
  /// Begins to connect to what keeps secrets, in the background: for a command that is sure to need them. What it is
  /// given is called when the connection stands, the moment at which other things are best begun.
  package var prepareSecrets: @Sendable (_ connected: @escaping @Sendable () -> Void) -> Void
  /// Makes the lock on a file.
  package var fileLock: @Sendable (FilePath) -> any RefreshLock
  /// Creates the store for refreshed tokens that cannot be saved, separate for each state folder.
  package var rescue: @Sendable (FilePath) -> any TokenRescue
  /// The clock.
  package var now: @Sendable () -> Date
  /// The boot-time clock, which cannot be set.
  package var boot: @Sendable () -> BootTime?
  /// Generates unguessable strings (state, nonce, PKCE verifier).
  package var random: RandomText
  /// Opens web pages.
  package var browser: any Browser
  /// Lets the person change a file.
  package var editor: any TextEditor
  /// Makes the QR code of a text; nil where the library for it is not there or the text is too long.
  package var qrCode: @Sendable (String) -> QRCode?
  /// Runs the `[on]` commands of profiles.
  package var hooks: any HookRunner
  /// The profile that the command is about, once that is known: for the report of an error.
  let chosen = ChosenProfile()
  /// Controls what the command prints besides its result; ``Application`` sets it from the command line.
  var verbosity = Verbosity()
  /// Makes what fits images into the limits of a multipart field.
  package var imageFitting: @Sendable () -> any ImageFitting
  /// Starts this program again for work that must outlive it; nil if that is not possible.
  package var relauncher: (any Relauncher)?
  /// Gives this process to another program.
  package var replacement: any ProcessReplacement
  /// The refreshes in progress, which must end before the program does.
  package let refreshes: RunningRefreshes

  /// Puts a context together.
  package init(
    program: ProgramName = ProgramName(calledBy: nil), environment: [String: String], console: any Console,
    transport: @escaping @Sendable () -> any HTTPTransport,
    parallelTransport: (@Sendable () -> any HTTPTransport)? = nil,
    prepareTransport: @escaping @Sendable () -> Void = {},
    secrets: @escaping @Sendable (Bool) -> any SecretStore,
    prepareSecrets: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    lock: @escaping @Sendable (FilePath) -> any RefreshLock = { FileLock($0) },
    rescue: @escaping @Sendable (FilePath) -> any TokenRescue = { _ in NoRescue() },
    now: @escaping @Sendable () -> Date = { Date() }, boot: @escaping @Sendable () -> BootTime? = { .now },
    random: @escaping RandomText = SystemRandomText.make, browser: (any Browser)? = nil,
    editor: (any TextEditor)? = nil, qrCode: @escaping @Sendable (String) -> QRCode? = { _ in nil },
    hooks: (any HookRunner)? = nil, imageFitting: @escaping @Sendable () -> any ImageFitting = { NoImageFitting() },
    relauncher: (any Relauncher)? = nil, replacement: any ProcessReplacement = NoProcessReplacement(),
    refreshes: RunningRefreshes = RunningRefreshes()
  ) {
    self.program = program
    self.environment = environment
    self.console = console
    self.transport = transport
    self.parallelTransport = parallelTransport ?? transport
    self.prepareTransport = prepareTransport
    self.secrets = secrets
    self.prepareSecrets = prepareSecrets
    fileLock = lock
    self.rescue = rescue
    self.now = now
    self.boot = boot
    self.random = random
    self.browser = browser ?? SystemBrowser(environment: environment)
    self.editor = editor ?? SystemEditor(environment: environment)
    self.qrCode = qrCode
    self.hooks = hooks ?? ShellHooks()
    self.imageFitting = imageFitting
    self.relauncher = relauncher
    self.replacement = replacement
    self.refreshes = refreshes
  }

  /// The value of an environment variable; nil also where it is empty.
  func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// `$XDG_CONFIG_HOME/authctl`, else `~/.config/authctl`. A relative path in the variable is passed over, as the XDG
  /// base directory specification demands.
  var configuration: FilePath { folder("XDG_CONFIG_HOME", ".config") }

  /// `$XDG_STATE_HOME/authctl`, else `~/.local/state/authctl`.
  var state: FilePath { folder("XDG_STATE_HOME", ".local/state") }

  /// The profile files.
  var profiles: ProfileDirectory { ProfileDirectory(configuration.appending("profiles"), home: home) }

  /// By which the paths that options name become absolute.
  var paths: ProfilePaths {
    ProfilePaths(folder: FilePath(FileManager.default.currentDirectoryPath), home: home)
  }

  private var home: FilePath { FilePath(variable("HOME") ?? "/") }

  /// The lock of a profile.
  func lock(_ name: ProfileName) -> any RefreshLock { fileLock(lockFile(name)) }

  /// The file of a profile's lock.
  func lockFile(_ name: ProfileName) -> FilePath { state.appending("locks").appending("\(name).lock") }

  /// Where a body that is too large for memory is kept while it may have to be sent again.
  var spoolFolder: FilePath { FilePath(variable("TMPDIR") ?? "/var/tmp") }

  /// How long the program's end waits for an exchange in a process of its own, which mostly outlives it.
  ///
  /// A service manager ends the whole of a service with its main process (systemd.kill(5)), and so does the end of the
  /// first process of a container.
  var detachedPatience: Duration {
    variable("INVOCATION_ID") != nil || ProcessInfo.processInfo.processIdentifier == 1 ? .seconds(2) : .zero
  }

  private func folder(_ variable: String, _ standard: String) -> FilePath {
    if let path = self.variable(variable), path.hasPrefix("/") { return FilePath(path).appending("authctl") }
    return home.pushing(FilePath(standard)).appending("authctl")
  }
}

/// Remembers which profile a command has turned to.
final class ChosenProfile: Sendable {
  private let name = Mutex<ProfileName?>(nil)

  /// The profile of the last session that was opened.
  var last: ProfileName? { name.withLock { $0 } }

  /// Takes note of a profile.
  func note(_ name: ProfileName) {
    self.name.withLock { $0 = name }
  }
}
