import AuthCore
import AuthctlCLI
import CProcess
import Curl
import FoundationEssentials
import Glibc
import Images
import Keyring

let environment = ProcessInfo.processInfo.environment
let keyring = SecretServiceStore(environment: environment, prompting: false)
let askingKeyring = SecretServiceStore(environment: environment, prompting: true)
let context = Context(
  environment: environment,
  console: TerminalConsole(),
  transport: { CurlTransport(environment: environment) }, prepareTransport: { CurlTransport.preload() },
  secrets: { prompting in prompting ? askingKeyring : keyring },
  prepareSecrets: { connected in keyring.prepare(connected: connected) },
  lock: { UnbrokenLock(lock: FileLock($0)) },
  qrCode: { QRCodeLibrary.code(of: $0) }, imageFitting: { PixbufFitting() })

cprocess_handle_signals()
let status = await Application(context).run(Array(CommandLine.arguments.dropFirst()))
// Nothing is buffered here, and what the libraries would tidy up is gone with the process.
_exit(status)
