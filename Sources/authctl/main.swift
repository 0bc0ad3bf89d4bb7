import AuthCore
import AuthctlCLI
import CProcess
import Curl
import FoundationEssentials
import Glibc
import Images
import KernelKeys
import Keyring
import SystemPackage

cprocess_prepare()
let environment = ProcessEnvironment.current
// Browser, hooks and editor do not inherit a token; the command of `exec` gets the original environment.
for variable in ["AUTHCTL_TOKEN", "AUTHCTL_ACCESS_TOKEN"] { unsafe unsetenv(variable) }
let keyring = SecretServiceStore(application: "authctl", environment: environment, prompting: false)
let askingKeyring = SecretServiceStore(application: "authctl", environment: environment, prompting: true)
var context = Context(
  program: ProgramName(calledBy: CommandLine.arguments.first),
  environment: environment,
  console: TerminalConsole(),
  transport: { CurlTransport(environment: environment) },
  parallelTransport: { ParallelCurlTransport(environment: environment, limit: $0) },
  prepareTransport: { CurlTransport.preload() },
  secrets: { prompting in prompting ? askingKeyring : keyring },
  prepareSecrets: { connected in keyring.prepare(connected: connected) },
  lock: { UnbrokenLock(lock: FileLock($0)) }, rescue: { KernelKeys(scope: $0.string) },
  utcOffset: { LocalTimeZone.offset(at: $0) }, qrCode: { QRCodeLibrary.code(of: $0) },
  imageFitting: { PixbufFitting() },
  relauncher: SystemRelauncher(), replacement: SystemReplacement(environment: environment))
context.cacheMemory = KernelCache()
// A service or a container may set no HOME.
if context.environment["HOME"]?.isEmpty ?? true { context.accountHome = Account.home }
var keyringEnvironment = environment
if let home = context.accountHome { keyringEnvironment["HOME"] = home }
context.keyring = SecretServiceKeyring(environment: keyringEnvironment)
context.beforeInterruption = { Interruption.precede(with: $0) }

cprocess_handle_signals()
let arguments = Array(CommandLine.arguments.dropFirst())
let work: @Sendable () async -> Int32
var runsHere = false
if let refresh = BackgroundRefresh(arguments, context) {
  // Signals do not interrupt it; it has its own time limit.
  cprocess_enter_section()
  work = {
    await refresh.run()
    return 0
  }
} else {
  let application = Application(context)
  switch application.start(arguments) {
  case .ended(let status): _exit(status)
  case .command(let invocation):
    runsHere = invocation.isSequential
    work = { await application.run(invocation) }
  }
}
let firstThread = FirstThread()
// No output is buffered, and the system frees the libraries' resources with the process.
Task.detached(executorPreference: runsHere ? firstThread : nil) { _exit(await work()) }
// To await the task here would end this thread, for which the C library loads another library, and start one more.
firstThread.run()
