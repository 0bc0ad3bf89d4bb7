import Testing

@testable import AuthctlCLI

@Suite("Help") struct RenderingHelpTests {
  @Test("is short at -h: a line for each command and option")
  func short() {
    #expect(
      ShortHelp(program: .sample, command: .sampleLogout).text(width: 80, colour: false) == """
        authctl logout: revoke and forget the tokens

        Usage: authctl logout [OPTIONS] [PROFILE...]

        Options:
              --all         log out of every profile
              --local-only  don't ask the server

        Options of every command:
          -p, --profile NAME     use this profile
          -q, --quiet            print errors only
          -v, --verbose          log each step to standard error
              --non-interactive  never ask anything, fail instead
              --color WHEN       colour messages and help
              --errors FORMAT    write errors as text or as JSON
          -h, --help             show help: -h in short, --help in full
              --version          print the version

        authctl logout --help tells all, with examples.

        """)
  }

  @Test("lists the commands at -h of the program")
  func program() {
    let text = ShortHelp(program: .sample, command: nil).text(width: 80, colour: false)
    #expect(text.hasPrefix("authctl: a table for tests\n\nUsage: authctl [OPTIONS] COMMAND [ARGUMENTS]\n\nCommands:\n"))
    #expect(text.contains("\n  call     send one request [with the token]: it's done\n"))
  }

  @Test("lists the commands of a family")
  func family() {
    let short = ShortHelp(program: .sample, command: .sampleKeyring).text(width: 80, colour: false)
    #expect(
      short.hasPrefix(
        """
        authctl keyring: look at the keyring: it's [locked]

        Usage: authctl keyring [OPTIONS] COMMAND [ARGUMENTS]

        Commands:
          status  tell whether it is locked
          erase   it's [all] gone

        Options:
        """), "\(short)")
    #expect(short.hasSuffix("\nauthctl keyring COMMAND -h is about one command, authctl keyring --help tells\nall.\n"))
    let long = LongHelp(program: .sample, command: .sampleKeyring).text(width: 80, colour: false)
    #expect(
      long.contains("\nCOMMANDS\n    status  tell whether it is locked\n    erase   it's [all] gone\n"), "\(long)")
    let below = LongHelp(program: .sample, command: Command.sampleKeyring.subcommands[1]).text(width: 80, colour: false)
    #expect(
      below.hasPrefix(
        "authctl keyring erase: it's [all] gone\n\nUSAGE\n    authctl keyring erase [OPTIONS] [PROFILE]\n"))
  }

  @Test("tells all at --help")
  func long() {
    #expect(
      LongHelp(program: .sample, command: .sampleStatus).text(width: 60, colour: false).hasPrefix(
        """
        authctl status: tell who is logged in

        USAGE
            authctl status [OPTIONS] [PROFILE]

        DESCRIPTION
            Tells.

        OPTIONS
            --json
                Print JSON.

        OPTIONS OF EVERY COMMAND
            -p, --profile NAME
                Use this profile. Without it: the profile of
                AUTHCTL_PROFILE; for call, the one whose API holds
                the URL; the one named default; or the only one
                there is. If that leaves more than one, authctl
                names them and stops.
        """))
    let program = LongHelp(program: .sample, command: nil).text(width: 80, colour: false)
    #expect(
      program.hasSuffix(
        """

        EXIT STATUS
            What comes next:

            0
                all went well
            22
                the API answered 400 or more

        NOTES
            - one
            - two, which goes on in the next line

        """))
    #expect(program.contains("\n\n        literal  --line 'a' \\n\n"))
    let call = LongHelp(program: .sample, command: .sampleCall).text(width: 80, colour: false)
    #expect(
      call.contains("May be given more than once. With @, a file's bytes.\n\n        a\n            one\n        b\n"))
    #expect(call.contains("EXAMPLES\n    authctl call -X POST -d 'a=b' me\n        Sends a to me.\n"))
  }

  @Test("stays within its width", arguments: [40, 60, 80, 120])
  func width(columns: Int) {
    for command in [nil] + Program.sample.allCommands.map(Optional.some) {
      let help =
        ShortHelp(program: .sample, command: command).text(width: columns, colour: false)
        + LongHelp(program: .sample, command: command).text(width: columns, colour: false)
      for line in help.split(separator: "\n") {
        #expect(line.count <= columns && !line.hasSuffix(" "), "\(line)")
      }
    }
  }

  @Test("uses bold and underline only where asked, and nothing but them")
  func colour() {
    let plain = LongHelp(program: .sample, command: .sampleCall).text(width: 80, colour: false)
    let coloured = LongHelp(program: .sample, command: .sampleCall).text(width: 80, colour: true)
    #expect(!plain.contains("\u{1B}"))
    #expect(coloured.contains("\u{1B}[1m--output\u{1B}[0m \u{1B}[4mFILE\u{1B}[0m"))
    #expect(coloured.replacing(/\e\[[014]m/, with: "") == plain)
  }
}
