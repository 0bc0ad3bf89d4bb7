import AuthCore

extension Command {
  static let profileEdit = Command(
    name: "profile edit", summary: "edit or create a profile in an editor",
    operands: [ProfileOperand.required],
    description: """
      Opens a copy of the file in the editor of `$VISUAL`, else of `$EDITOR`, else in `editor` or `vi`. A new profile \
      starts from a commented template. When the editor ends, the copy is checked. A valid copy replaces the file in \
      one step. Otherwise the error is shown, and you can open the editor again.

      The copy is `~/.local/state/authctl/drafts/NAME.toml`. It remains after any failure, and the next `profile edit` \
      continues with it.
      """,
    examples: [
      Example("authctl profile edit work", "Edits a profile."),
      Example("authctl profile edit new", "Creates a profile from a template."),
      Example("EDITOR=nano authctl profile edit work", "Uses another editor."),
    ])
}

extension RunnableCommand {
  static let profileEdit = RunnableCommand(.profileEdit) { invocation, context in
    try await ProfileEditRun(invocation, context).run()
  }
}
