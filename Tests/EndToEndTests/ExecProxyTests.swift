import Foundation
import TestSupport
import Testing

@Suite("exec --proxy, end to end")
struct ExecProxyTests {
  private func exec(_ place: Workplace, _ options: [String], _ command: [String]) throws -> Outcome {
    try place.run(["exec", "--proxy"] + options + ["--"] + command)
  }

  @Test("the command calls the API without the token, also after it has died; its exit status is ours")
  func command() throws {
    let place = try Workplace.loggedIn()
    let script = """
      set -e
      curl -sS -o /dev/null -w '%{http_code} ' "$AUTHCTL_PROXY/me"
      curl -sS -X POST -o /dev/null \(place.lab.origin)/control/expire
      curl -sS -o /dev/null -w '%{http_code} ' "$1/me"
      curl -sS -o /dev/null -w '%{http_code} ' "$OTHER"
      echo "$NAME $0"
      exit 9
      """
    let outcome = try exec(
      place, ["--env", "OTHER=${AUTHCTL_PROXY}/me", "--env", "NAME", "work"],
      ["bash", "-c", script, "$AUTHCTL_PROXYX", "$AUTHCTL_PROXY"])
    #expect(outcome.status == 9, "\(outcome.error)")
    #expect(outcome.text.hasPrefix("200 200 200 http://127.0.0.1:") && outcome.text.hasSuffix(" $AUTHCTL_PROXYX\n"))
    #expect(outcome.error.isEmpty, "\(outcome.error)")
  }

  @Test("neither the environment nor the memory of the command nor a file has the token")
  func secrecy() throws {
    let place = try Workplace.loggedIn()
    let run = try place.start(
      [
        "exec", "--proxy", "--", "/usr/bin/python3", "-c",
        """
        import os, sys, time, urllib.request
        print(urllib.request.urlopen(os.environ["AUTHCTL_PROXY"] + "/me").status, os.getpid(), flush=True)
        time.sleep(1000)
        """,
      ], environment: ["AUTHCTL_ACCESS_TOKEN": nil, "AUTHCTL_TOKEN": "inherited-7351"])
    let line = String(decoding: try run.waitUntilItServes("the command"), as: UTF8.self)
    let words = line.split { $0 == " " || $0 == "\n" }
    #expect(words.first == "200")
    let process = try #require(words.last.flatMap { Int32($0) })
    let pair = try place.pair()
    let secrets = try ["access_token", "refresh_token"].map { try #require(pair.string($0)) } + ["inherited-7351"]
    let search = """
      import os, re, sys
      process, *secrets = sys.stdin.read().split()
      found = set()
      def look(data, place):
          found.update((place, number) for number, secret in enumerate(secrets) if secret.encode() in data)
      look(open(f"/proc/{process}/environ", "rb").read(), "environment")
      with open(f"/proc/{process}/mem", "rb", 0) as memory:
          for line in open(f"/proc/{process}/maps"):
              start, end = (int(part, 16) for part in line.split()[0].split("-"))
              if "r" in line.split()[1] and not line.rstrip().endswith(("[vvar]", "[vsyscall]")):
                  memory.seek(start)
                  try:
                      look(memory.read(end - start), "memory")
                  except OSError:  # A page behind the end of its file.
                      pass
      count = 0
      for folder, _, names in os.walk(sys.argv[1]):
          for name in names:
              path = os.path.join(folder, name)
              if os.path.isfile(path):
                  count += 1
                  look(open(path, "rb").read(), path)
      print(found or "nothing", count > 3)
      """
    let outcome = try ProgramRun(
      "/usr/bin/python3", ["-c", search, place.session.directory.path],
      input: .text(([String(process)] + secrets).joined(separator: "\n")), environment: place.session.environment,
      folder: place.session.directory
    ).wait()
    #expect(outcome.text == "nothing True\n", "\(outcome.text)\(outcome.error)")
    run.send(SIGTERM)
    #expect(try run.wait().status == 128 + SIGTERM)
  }

  @Test("signals are passed on, and the command decides; it has its own limit of open files")
  func signals() throws {
    let place = try Workplace.loggedIn()
    let trap = "trap 'echo got; exit 7' TERM USR1; ulimit -Sn; while :; do sleep 0.1; done"
    for signal in [SIGTERM, SIGUSR1] {
      let run = try place.start(
        ["exec", "--proxy", "--", "bash", "-c", trap], through: ["/bin/bash", "-c", "ulimit -Sn 100; exec \"$@\"", "-"])
      #expect(String(decoding: try run.waitUntilItServes("the command"), as: UTF8.self) == "100\n")
      run.send(signal)
      let outcome = try run.wait()
      #expect(outcome.status == 7 && outcome.text == "100\ngot\n", "\(outcome)")
    }
    #expect(try exec(place, [], ["bash", "-c", "kill -KILL $$"]).status == 128 + SIGKILL)
    let settings = try exec(place, [], ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]).text
    for line in settings.split(separator: "\n") { #expect(try ExecTests().mask(line + "\n") == 0, "\(line)") }
  }

  @Test("without a session nothing is run: 3; a missing command: 127; one that can't be run: 126")
  func failures() throws {
    let place = try Workplace.loggedIn()
    try exec(place, [], ["no-such-command", "secret-argument"]).expect(127, error: "no-such-command")
    #expect(try exec(place, [], ["/etc/passwd"]).status == 126)
    #expect(try place.run("logout").status == 0)
    let outsider = try exec(place, [], ["echo", "ran"])
    #expect(outsider.status == 3 && outsider.text.isEmpty, "\(outsider)")
    #expect(try exec(place, ["none"], ["echo", "ran"]).status == 2)
  }

  @Test("--allow limits the command; a token that is given is used, and not passed on")
  func limits() throws {
    let place = try Workplace.loggedIn()
    let token = try #require(try place.pair().string("access_token"))
    #expect(try place.run("logout", "--local-only").status == 0)
    let script = """
      for path in me echo; do curl -sS -o /dev/null -w '%{http_code} ' "$AUTHCTL_PROXY/$path"; done
      printenv AUTHCTL_ACCESS_TOKEN || echo none
      """
    let outcome = try place.run(
      ["exec", "--proxy", "--allow", "GET /me", "work", "--", "bash", "-c", script],
      environment: ["AUTHCTL_ACCESS_TOKEN": token])
    #expect(outcome.text == "200 403 none\n", "\(outcome.text)\(outcome.error)")
  }

  @Test("an ignored SIGCHLD, a proxy of the network and other descriptors change nothing for the command")
  func surroundings() throws {
    let place = try Workplace.loggedIn()
    let ignoring = [
      "/usr/bin/python3", "-c",
      "import os,signal,sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])",
    ]
    let status = try place.run(["exec", "--proxy", "--", "bash", "-c", "exit 5"], through: ignoring)
    #expect(status.status == 5, "\(status.error)")
    // What other tests of this process have open is not authctl's.
    let alone = [
      "/usr/bin/python3", "-c", "import os, sys; os.closerange(3, 4096); os.execv(sys.argv[1], sys.argv[1:])",
    ]
    let call = try place.run(
      [
        "exec", "--proxy", "--", "bash", "-c",
        "curl -sS -o /dev/null -w '%{http_code}' $AUTHCTL_PROXY/me; echo \" $no_proxy\"; ls -l /proc/self/fd",
      ],
      environment: ["http_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.0/8"], through: alone)
    #expect(call.text.hasPrefix("200 127.0.0.0/8,127.0.0.1,localhost\n"), "\(call.text)")
    #expect(!call.text.contains("eventpoll") && !call.text.contains("socket:"), "\(call.text)")
  }

  @Test("the terminal: Ctrl-C reaches a command in a group of its own and ends a loop; its end ends both")
  func terminal() throws {
    let place = try Workplace.loggedIn()
    let script = """
      import os, pty, select, signal, sys, time
      def run(line, act):
          pid, terminal = pty.fork()
          if pid == 0: os.execvp("bash", ["bash", "--norc", "-i", "-c", line])
          seen = b""
          while b"READY" not in seen.replace(b"echo READY", b""):
              if not select.select([terminal], [], [], 60)[0]: return "nothing came"
              seen += os.read(terminal, 1000)
          time.sleep(0.3)
          act(terminal)
          for _ in range(600):
              ended, status = os.waitpid(pid, os.WNOHANG)
              if ended: return os.waitstatus_to_exitcode(status)
              time.sleep(0.1)
          os.kill(pid, signal.SIGKILL)
          return "it goes on"
      program = sys.argv[1] + " exec --proxy work -- "
      interrupt = lambda terminal: os.write(terminal, b"\\x03")
      print(run(program + "timeout 60 sh -c 'echo READY; sleep 50'; exit 3", interrupt) != "it goes on")
      print(run("for i in 1 2; do " + program + "sh -c 'echo READY; sleep 50'; done", interrupt) != "it goes on")
      print(run("exec " + program + "sh -c 'echo READY; exec sleep 50'", os.close))
      print(run("exec " + sys.argv[1] + " proxy work | sed -u s/^/READY/", os.close) != "it goes on")
      """
    let outcome = try ProgramRun(
      "/usr/bin/python3", ["-c", script, Workplace.binary],
      environment: place.session.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 },
      folder: place.session.directory
    ).wait()
    #expect(outcome.text == "True\nTrue\n129\nTrue\n", "\(outcome.text)\(outcome.error)")
  }
}
