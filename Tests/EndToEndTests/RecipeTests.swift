import Foundation
import TestSupport
import Testing

@Suite("the recipes of authctl-token(1), end to end")
struct RecipeTests {
  /// Has each process write its arguments, which all users can read, to a file.
  static let witness = """
    #include <fcntl.h>
    #include <stdlib.h>
    #include <unistd.h>
    __attribute__((constructor)) static void tell(void) {
      static char words[1 << 16];
      const char *path = getenv("WITNESS");
      int from = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
      int to = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
      long count = from < 0 ? 0 : read(from, words, sizeof words - 1);
      if (count < 0) count = 0;
      words[count] = '\\n';
      if (to >= 0 && write(to, words, (unsigned long)count + 1) < 0) abort();
      if (from >= 0) close(from);
      if (to >= 0) close(to);
    }
    """

  @Test("there are recipes for curl, wget, git, httpie and jq")
  func names() {
    for tool in ["curl", "wget", "git", "httpie", "jq"] {
      #expect(Recipe.all.contains { $0.name.hasPrefix(tool) }, "\(tool)")
    }
  }

  @Test("git's credential helper returns no password if there is no token, and stops git")
  func credentialHelperFails() throws {
    let place = try Workplace()
    try place.makeProfile()
    let recipe = try #require(Recipe.all.first { $0.script.contains("credential.https://") })
    let helper = try #require(recipe.script.components(separatedBy: "\ngit ls-remote").first)
    let fill = "printf 'url=https://git.example.com\\n\\n' | git credential fill"
    let outcome = try place.shell("\(helper)\n\(fill)", environment: ["GIT_TERMINAL_PROMPT": "0"])
    #expect(outcome.status != 0)
    #expect(!outcome.text.contains("password="), "\(outcome.text)")
    #expect(outcome.error.contains("quit"), "\(outcome.error)")
  }

  @Test("the sample of -v in the README is what is printed, shortened")
  func sample() throws {
    let place = try Workplace.loggedIn()
    try place.lab.expireAccessTokens()
    let outcome = try place.run("call", "-v", "me")
    outcome.expect(0)
    // Without what differs in each run.
    let lines = { (text: String) in
      text.split(separator: "\n").map { line in
        line.drop { $0 != "]" }.replacing(/\d+[hms]( \d+[ms])?/, with: "TIME").replacing(
          /\b[0-9a-f]{8}\b/, with: "PRINT")
      }
    }
    let file = Workplace.servers.deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")
    let readme = try String(contentsOf: file, encoding: .utf8)
    let block = try #require(readme.firstMatch(of: /A 401, shortened:\n\n```text\n((?s:.+?))```/))
    var printed = lines(outcome.error)[...]
    for line in lines(String(block.1)) {
      let place = try #require(printed.firstIndex(of: line), "\(line) in \(printed)")
      printed = printed[(place + 1)...]
    }
  }

  @Test("git's credential helper refreshes a token that git erases, because the server has refused it")
  func credentialHelperErases() throws {
    let place = try Workplace.loggedIn()
    let old = try #require(try place.pair().string("access_token"))
    let recipe = try #require(Recipe.all.first { $0.script.contains("credential.https://") })
    let helper = try #require(recipe.script.components(separatedBy: "\ngit ls-remote").first)
    let refused = "printf 'url=https://git.example.com\nusername=oauth2\npassword=%s\n\n' x | git credential reject"
    let fill = "printf 'url=https://git.example.com\n\n' | git credential fill"
    let outcome = try place.shell("\(helper)\n\(refused)\n\(fill)", environment: ["GIT_TERMINAL_PROMPT": "0"])
    outcome.expect(0)
    let new = try #require(try place.pair().string("access_token"))
    #expect(new != old && outcome.text.contains("password=\(new)\n"), "\(outcome.text)")
  }

  @Test("each works as it stands there, and no process has the token among its arguments", arguments: Recipe.all)
  func recipe(recipe: Recipe) throws {
    let place = try Workplace.loggedIn()
    let token = try #require(try place.pair().string("access_token"))
    let git = try GitServer(place, token: token)
    let script = recipe.script.replacing("https://api.example.com/v1", with: place.lab.origin + "/api")
      .replacing("https://git.example.com", with: git.origin)
    let library = try CProgram(Self.witness, as: .library)
    let log = place.session.directory.appending(path: "arguments")
    let outcome = try place.shell(
      "set -eu -o pipefail\n" + script,
      environment: ["LD_PRELOAD": library.path, "WITNESS": log.path, "GIT_TERMINAL_PROMPT": "0"])
    outcome.expect(0)
    let isAboutGit = recipe.name.hasPrefix("git")
    #expect(outcome.text.contains(isAboutGit ? git.commit : "alice@authlab.example"), "\(outcome.text)")
    let arguments = try String(contentsOf: log, encoding: .utf8)
    #expect(arguments.contains("authctl"), "the witness was there")
    #expect(!arguments.contains(token), "\(arguments)")
  }
}
