import Foundation

do {
  let options = try LabOptions(arguments: Array(CommandLine.arguments.dropFirst()))
  if options.wantsHelp {
    try FileHandle.standardOutput.write(contentsOf: Data(LabOptions.help.utf8))
  } else {
    try await Lab(options: options).run()
  }
} catch let error as UsageError {
  FileHandle.standardError.write(Data("authlab: \(error.reason)\nTry authlab --help.\n".utf8))
  exit(2)
} catch {
  FileHandle.standardError.write(Data("authlab: the server can't run: \(error)\n".utf8))
  exit(1)
}
