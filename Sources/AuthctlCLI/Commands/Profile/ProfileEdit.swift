import AuthCore
import SystemPackage

extension Command {
  static let profileEdit = Command(
    name: "profile edit", summary: "edit or create a profile in an editor", operands: [ProfileOperand.required],
    manual: Manual(PackageResources.profile_edit_md))
}

extension RunnableCommand {
  static let profileEdit = RunnableCommand(
    .profileEdit, { try ProfileSelection($0).requiredName(for: $0.command.name) }
  ) { name, context in
    try await ProfileEditRun(name, context).run()
  }
}

/// One run of `profile edit`.
struct ProfileEditRun: Sendable {
  private let name: ProfileName
  private let context: Context

  init(_ name: ProfileName, _ context: Context) {
    self.name = name
    self.context = context
  }

  func run() async throws -> ExitStatus {
    guard !context.verbosity.nonInteractive else {
      throw AuthError.usage(
        "profile edit", why: "it needs a terminal",
        hint: "edit the file itself: \(context.profiles.file(of: name))")
    }
    let former = try context.profiles.text(of: name)
    let beginning = former ?? context.program.named(hint: BlankProfile.text(name))
    let drafts = ProfileDirectory(context.state.appending("drafts"))
    try prepare(drafts, name, beginning)
    while true {
      if let failure = await context.editor.edit(drafts.file(of: name)) {
        throw AuthError.failed("the editor", why: failure, hint: "set VISUAL or EDITOR; \(kept(drafts, name))")
      }
      guard let text = try drafts.text(of: name) else {
        throw AuthError.failed("the draft", why: "it no longer exists", hint: "nothing was changed")
      }
      if former == nil, text == beginning {
        return try end(drafts, name, "the draft was not changed, no profile created")
      }
      do throws(AuthError) {
        _ = try Profile(toml: text, file: drafts.file(of: name).string, name: name)
      } catch {
        _ = ErrorReport(error).report(context)
        if try isWanted("Edit it again?") { continue }
        throw AuthError.usage(
          "profile \(name)", why: "the draft has an error; nothing was changed", hint: kept(drafts, name))
      }
      guard text != former else { return try end(drafts, name, "nothing was changed") }
      guard try context.profiles.text(of: name) == former else {
        throw AuthError.failed("profile \(name)", why: "its file was changed in the meantime", hint: kept(drafts, name))
      }
      try context.profiles.replace(text, as: name)
      return try end(drafts, name, "profile \(name) written to \(context.profiles.file(of: name))")
    }
  }

  /// Creates the draft. A draft that an earlier edit has left is deleted only if the user agrees.
  private func prepare(_ drafts: ProfileDirectory, _ name: ProfileName, _ text: String) throws {
    if let left = try drafts.text(of: name), left != text {
      context.console.note("authctl: found a draft of an earlier edit: \(drafts.file(of: name))")
      if try isWanted("Continue with it?") { return }
      guard try isWanted("Delete it?", byDefault: false) else {
        throw AuthError.usage("profile edit", why: "a draft already exists", hint: "move it: \(drafts.file(of: name))")
      }
    }
    try drafts.replace(text, as: name)
  }

  private func isWanted(_ question: String, byDefault: Bool = true) throws -> Bool {
    let response = try context.console.ask("\(question) \(byDefault ? "[Y/n]" : "[y/N]") ", echo: true)
    // The end of the input does not count as agreement.
    guard let response else { return false }
    return response.isEmpty ? byDefault : response.lowercased().starts(withBytes: "y")
  }

  private func kept(_ drafts: ProfileDirectory, _ name: ProfileName) -> String {
    "the draft is kept, authctl profile edit \(name) continues with it: \(drafts.file(of: name))"
  }

  private func end(_ drafts: ProfileDirectory, _ name: ProfileName, _ message: String) throws -> ExitStatus {
    try drafts.remove(name)
    if !context.verbosity.quiet { context.console.note("authctl: \(message)") }
    return .ok
  }
}
