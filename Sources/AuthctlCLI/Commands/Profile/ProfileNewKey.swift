import AuthCore
import SystemPackage

extension Command {
  static let profileNewKey = Command(
    name: "profile new-key", summary: "create a key for store = \"file\"",
    operands: [Operand("FILE", completion: .file)],
    description: """
      Creates a file with a new random key, which only its owner may read, and its folder if there is none. A profile \
      with `store = "file"` names it as `store_key`, and several profiles may name the same one. An existing file is \
      never overwritten: the sessions that are sealed with its key could not be opened any more.

      The file is one line, 32 bytes in Base64, as from `openssl rand -base64 32`. Keep it apart from backups of \
      `~/.local/state`: with both, the tokens can be read.
      """,
    examples: [
      Example(
        "authctl profile new-key ~/.config/authctl/store.key",
        "Creates a key. In the profile: `store = \"file\"` and `store_key = \"~/.config/authctl/store.key\"`."),
      Example(
        "systemd-creds encrypt --name=store store.key /etc/report/store.key",
        "Encrypts a key for a service with `LoadCredentialEncrypted=store:/etc/report/store.key` (systemd.exec(5))."),
      Example(
        "authctl login https://api.example.com --store file --store-key store.key",
        "Creates a profile that uses the key, and logs in."),
    ])
}

extension RunnableCommand {
  static let profileNewKey = RunnableCommand(.profileNewKey, { $0.operands[0] }) { text, context in
    let file = FilePath(context.paths.absolute(text))
    do throws(Errno) {
      try PrivateFolder.make(file.removingLastComponent())
      try StoreKey.create(at: file)
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
