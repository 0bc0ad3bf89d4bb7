import AuthCore
import SystemPackage

extension Command {
  static let profileNewKey = Command(
    name: "profile new-key", summary: "create a key for store = \"file\"",
    operands: [Operand("FILE", completion: .file)], manual: Manual(PackageResources.profile_new_key_md))
}

extension RunnableCommand {
  static let profileNewKey = RunnableCommand(.profileNewKey, { $0.operands[0] }) { text, context in
    let file = FilePath(context.paths.absolute(text))
    do throws(Errno) {
      try PrivateFolder.make(file.removingLastComponent())
      try SealingKey.create(at: file)
    } catch .fileExists {
      throw AuthError.usage(
        Escaped.text(file.string), why: "it already exists, and a key is never overwritten",
        hint: "use another name, or use this file as store_key if it is a key")
    } catch {
      throw AuthError.failed(
        "writing the key \(Escaped.text(file.string))", why: "\(error)", hint: "check the folder and the disk")
    }
    if !context.verbosity.quiet {
      let setting = "store = \"file\", store_key = \(JSONValue.string(file.string).toml)"
      context.console.show("authctl: key written to \(file)\n  in the profile: \(setting)", as: .success)
    }
    return .ok
  }
}
