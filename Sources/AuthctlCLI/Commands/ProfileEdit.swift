import AuthCore

extension Command {
  static let profileEdit = Command(
    name: "profile edit", summary: "change a profile's file, or make one, in an editor",
    operands: [ProfileOperand.required],
    description: """
      Opens a copy of the file in the editor of `$VISUAL`, else of `$EDITOR`, else in `editor` or `vi`. A profile that \
      there isn't begins as a text with comments to fill in. When the editor ends, the copy is read as strictly as \
      always: only a profile without a mistake takes the place of the old one, in one piece. Otherwise it says where \
      the mistake is and opens the editor again, if that is wanted.

      The copy is `~/.local/state/authctl/drafts/NAME.toml`. Whatever goes wrong, it stays there, and the next \
      `profile edit` goes on with it.
      """,
    examples: [
      Example("authctl profile edit work", "Changes a profile."),
      Example("EDITOR=nano authctl profile edit new", "Makes one, with another editor than usual."),
    ],
    run: { invocation, context in try await ProfileEditRun(invocation, context).run() })
}
