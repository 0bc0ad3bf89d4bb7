import AuthCore
import AuthctlCLI
import Curl
import FoundationEssentials
import Glibc
import Keyring

let environment = ProcessInfo.processInfo.environment
let keyring = SecretServiceStore(environment: environment, prompting: false)
let askingKeyring = SecretServiceStore(environment: environment, prompting: true)
let terminal = TerminalConsole()
let context = Context(
  environment: environment,
  console: terminal,
  transport: { CurlTransport(environment: environment) }, prepareTransport: { CurlTransport.preload() },
  secrets: { prompting in prompting ? askingKeyring : keyring }, prepareSecrets: { keyring.prepare() })

// A reader that goes away is an error of the write, not the end of the process.
signal(SIGPIPE, SIG_IGN)
let signals = Signals(context: context, terminal: terminal)
let status = await Application(context).run(Array(CommandLine.arguments.dropFirst()))
signals.leave(status)
