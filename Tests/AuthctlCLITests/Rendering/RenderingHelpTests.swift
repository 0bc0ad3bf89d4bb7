import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("Help") struct RenderingHelpTests {
  @Test("-h shows usage, examples, and the options that are used most")
  func short() {
    #expect(
      ShortHelp(program: .sample, command: .sampleLogout).text(width: 80, colour: false) == """
        authctl logout: revoke and forget the tokens

        Usage: authctl logout [OPTIONS] [PROFILE...]

        Examples:
          authctl logout work

        Options:
              --all           log out of every profile
              --local-only    don't ask the server
          -p, --profile NAME  use this profile
          -q, --quiet         print errors only
          -v, --verbose       log each step to standard error
          -h, --help          show help: -h for a summary, --help for all

        Run authctl logout --help for the full help.

        """)
  }

  @Test("lists the commands at -h of the program")
  func program() {
    let text = ShortHelp(program: .sample, command: nil).text(width: 80, colour: false)
    #expect(text.hasPrefix("authctl: a table for tests\n\nUsage: authctl [OPTIONS] COMMAND [ARGUMENTS]\n\nCommands:\n"))
    #expect(text.contains("\n  call     send one request [with the token]: it's done\n"))
  }

  @Test("-h of each command fits a screen, has three examples, and shows the most used options first")
  func oneScreen() {
    for command in Program.authctl.allCommands {
      let text = ShortHelp(program: .authctl, command: command).text(width: 80, colour: false)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let limit = ["call", "login"].contains(command.name) ? 40 : 24
      #expect(lines.count <= limit, "\(command.name): \(lines.count) lines")
      #expect(command.examples.count >= 3, "\(command.name)")
      for example in command.examples.prefix(3) { #expect(lines.contains("  " + example.line), "\(example.line)") }
      #expect(command.shortHelpOptions.map(\.long) == command.leading, "\(command.name): \(command.leading)")
      #expect(Set(command.leading).count == command.leading.count, "\(command.name)")
      #expect(text.contains("authctl \(command.name) "), "\(text)")
    }
    let program = ShortHelp(program: .authctl, command: nil).text(width: 80, colour: false)
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
  }

  @Test("-h of the program names the first command to run, and it is a valid one")
  func firstStep() throws {
    let line = Program.authctl.firstStep
    let text = ShortHelp(program: .authctl, command: nil).text(width: 80, colour: false)
    #expect(text.contains("\nstart with: \(line)\n"), "\(text)")
    let words = line.split(separator: " ").map(String.init)
    #expect(words.first == "authctl")
    guard case .run(let invocation) = try Parser(program: .authctl).parse(Array(words.dropFirst())) else {
      Issue.record("\(line) is no command")
      return
    }
    #expect(invocation.command.name == "login")
  }

  @Test("-h of login begins with a login at a URL")
  func loginWithURL() {
    let text = ShortHelp(program: .authctl, command: .login).text(width: 80, colour: false)
    #expect(text.contains("\nExamples:\n  authctl login https://"), "\(text)")
  }

  @Test("the help of login names the ports that a client registers")
  func registeredPorts() {
    let text = LongHelp(program: .authctl, command: .login).text(width: 80, colour: false)
    let numbers = text.split { !$0.isNumber }
    for port in RedirectURI.registeredPorts { #expect(numbers.contains("\(port)"), "\(port)") }
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

        Examples:
          authctl keyring status
          authctl keyring erase work

        Options:
        """), "\(short)")
    #expect(short.hasSuffix("\nRun authctl keyring COMMAND -h for one command, authctl keyring --help for all.\n"))
    let long = LongHelp(program: .sample, command: .sampleKeyring).text(width: 80, colour: false)
    #expect(
      long.contains("\nCOMMANDS\n    status  tell whether it is locked\n    erase   it's [all] gone\n"), "\(long)")
    let below = LongHelp(program: .sample, command: Command.sampleKeyring.subcommands[1]).text(width: 80, colour: false)
    #expect(
      below.hasPrefix(
        "authctl keyring erase: it's [all] gone\n\nUSAGE\n    authctl keyring erase [OPTIONS] [PROFILE]\n"))
  }

  @Test("shows everything at --help")
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
            -p, -q, -v, --non-interactive, --color, --errors, -h,
            --version: see authctl(1), or run authctl --help.
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
                the API returned 400 or more

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

  @Test("--help of login shows its own options, and one line for the keys of a profile")
  func settings() {
    let help = LongHelp(program: .authctl, command: .login).text(width: 80, colour: false)
    let lines = help.split(separator: "\n").prefix { $0 != "OPTIONS OF EVERY COMMAND" }
    let options = lines.filter { $0.hasPrefix("    -") }
    #expect(options.count == LoginOptions.all.count + 1 && options.last == "    --KEY VALUE", "\(options)")
    #expect(!options.contains { $0.contains("--issuer") } && lines.contains { $0.contains("--issuer, --client-id") })
    #expect(ManPage(program: .authctl, command: .login).text.contains("\\-\\-issuer"))
  }

  @Test("the options of every command are explained once, in the help of the program")
  func sharedOptions() throws {
    let detail = "never prompt, fail instead".dropFirst()
    for command in Program.authctl.allCommands {
      #expect(!LongHelp(program: .authctl, command: command).text(width: 200, colour: false).contains(detail))
      #expect(!ManPage(program: .authctl, command: command).text.contains(detail))
    }
    #expect(LongHelp(program: .authctl, command: nil).text(width: 200, colour: false).contains(detail))
    #expect(ManPage(program: .authctl, command: nil).text.contains(detail))
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
