import AuthCore
import HTTPTypes
import Testing

@testable import AuthctlCLI

@Suite("CallArguments") struct CallArgumentsTests {
  private func arguments(_ words: [String]) throws -> CallArguments {
    try CallArguments(Invocation(typed: ["call"] + words))
  }

  private func arguments(_ words: String...) throws -> CallArguments { try arguments(words) }

  @Test("an address alone is a GET with the token")
  func plain() throws {
    let plain = try arguments("me")
    #expect(plain.addresses == [CallAddress(text: "me", index: 0, upload: nil, output: .standardOutput)])
    #expect(plain.batch == nil && plain.profile.name == nil && plain.authorization == .token)
    #expect(plain.method == nil && !plain.isHead && plain.headers.isEmpty && plain.body == .none)
    #expect(plain.continuation == nil && !plain.isCompressed && plain.redirects == .response && plain.retry == nil)
  }

  @Test("each option has its place")
  func options() throws {
    let all = try arguments("-p", "work", "-X", "PATCH", "-H", "A: b", "-H", "@f", "-d", "x", "--compressed", "-L", "/")
    #expect(all.profile.name?.string == "work" && all.method == .patch && all.isCompressed)
    #expect(all.headers == [.line(try HeaderLine(Array("A: b".utf8))), .file("f")])
    #expect(all.body == .data([DataPiece(Occurrence(option: CallOptions.data, value: "x"))]))
    #expect(all.redirects == .follow(keepingMethod: true, isUpload: false))
    #expect(try arguments("-L", "-T", "f", "/").redirects == .follow(keepingMethod: false, isUpload: true))
    #expect(try arguments("-I", "/").isHead)
  }

  @Test("--url is an address at its place among the others, wherever the command's word is")
  func urlOption() throws {
    let mixed = try arguments("a", "-o", "f", "--url", "b", "c", "--url=d")
    #expect(mixed.addresses.map(\.text) == ["a", "b", "c", "d"])
    #expect(mixed.addresses.map(\.output) == [.file("f"), .standardOutput, .standardOutput, .standardOutput])
    let before = try CallArguments(Invocation(typed: ["--url", "a", "call", "b"]))
    #expect(before.addresses.map(\.text) == ["a", "b"])
  }

  @Test("options of curl that change nothing here are taken, also for a batch")
  func withoutEffect() throws {
    let plain = ["-N", "-g", "--no-buffer", "--globoff", "--no-progress-meter", "--basic", "--tlsv1.2"]
    #expect(try arguments(["me"] + plain).network.options(of: nil) == arguments("me").network.options(of: nil))
    #expect(try arguments(["--batch", "f"] + plain).batch?.path == "f")
  }

  @Test("a batch has no address")
  func batch() throws {
    let batch = try arguments("--batch", "f")
    #expect(batch.batch?.path == "f" && batch.addresses.isEmpty)
  }

  @Test("--no-auth and -u take the token's place")
  func authorization() throws {
    #expect(try arguments("--no-auth", "/").authorization == .none)
    #expect(try arguments("-u", "alice", "/").authorization == .password(user: "alice"))
  }

  @Test("the first -T is for the first address, and an empty one means none")
  func uploads() throws {
    let addresses = try arguments("-T", "a", "-T", "", "-T", "-", "x", "y", "z").addresses
    #expect(addresses.map(\.upload) == ["a", nil, "-"] && addresses.map(\.index) == [0, 1, 2])
    #expect(try arguments("-T", "a", "x", "y").addresses.map(\.upload) == ["a", nil])
  }

  @Test("--retry makes a policy of the options that belong to it; without it they mean nothing")
  func retry() throws {
    let plain = try #require(try arguments("--retry", "3", "/").retry)
    #expect(plain.limit == 3 && plain.delay == nil && plain.maxTime == nil)
    #expect(!plain.repeatsUnsent && !plain.repeatsAnyMethod && !plain.includesAllErrors)
    let all = try #require(
      try arguments(
        "--retry", "1", "--retry-delay", "2", "--retry-max-time", "1m", "--retry-connrefused", "--retry-unsafe",
        "--retry-all-errors", "/"
      ).retry)
    #expect(all.delay == .seconds(2) && all.maxTime == .seconds(60))
    #expect(all.repeatsUnsent && all.repeatsAnyMethod && all.includesAllErrors)
    let zero = try #require(try arguments("--retry", "1", "--retry-delay", "0", "--retry-max-time", "0", "/").retry)
    #expect(zero.delay == nil && zero.maxTime == nil)
    #expect(try arguments("--retry", "0", "/").retry == nil)
    #expect(try arguments("--retry-delay", "2", "/").retry == nil)
  }

  @Test("without an address there is nothing to send", arguments: [[], ["-L"], ["-d", "x"]])
  func nothing(words: [String]) throws {
    let error = try #require(throws: UsageError.self) { try arguments(words) }
    #expect(error.message == "'call' needs URL|PATH, or --batch FILE")
    #expect(error.hint == "usage: authctl call [OPTIONS] [URL|PATH...]")
  }

  @Test(
    "contradicting options are refused",
    arguments: [
      (["-u", "a", "--no-auth"], "-u: --no-auth is given, too"),
      (["-u", "a:b"], "-u NAME:PASSWORD: all users of this machine can read a password on the command line"),
      (["-u", ""], "-u: the name is empty, or contains a control character"),
      (["-u", "a\u{7}"], "-u: the name is empty, or contains a control character"),
      (["-H", "no line"], "-H no line: not a header line"),
      (["-H", "A; b"], "-H A: a ; after the name means an empty header"),
      (["-X", "a b"], "-X a b: not an HTTP method"),
      (["-p", "a/b"], "profile 'a/b': invalid profile name"),
      (["-C", "1", "-d", "x"], "-C: can't be combined with --data"),
      (["-C", "1", "-F", "a=b"], "-C: can't be combined with --form"),
      (["-C", "-", "-r", "1-"], "-C: can't be combined with --range"),
      (["-r", "x"], "-r: not a byte range"),
      (["-A", "a\u{1}"], "-A: its value contains a control character"),
      (["-e", "a\u{1}"], "-e: its value contains a control character"),
      (
        ["-E", "c:password"],
        "-E FILE:PASSWORD: all users of this machine can read a password on the command line"
      ),
      (["--unix-socket", ""], "--unix-socket: its path is empty or longer than 107 bytes"),
      (["-o", ""], "-o: the file name is empty"),
      (["-D", ""], "-D: the file name is empty"),
      (["-f", "--no-fail"], "--fail: can't be combined with --no-fail"),
      (["-T", "a", "-T", "b"], "-T: there are more files than URLs"),
      (["-F", "=)"], "-F =): no part is open"),
      (["--parallel", "3"], "--parallel: it needs --batch"),
      (["--batch", "f"], "call --batch: there is an address on the command line too"),
    ])
  func contradictions(words: [String], text: String) throws {
    #expect(try usageError { _ = try arguments(words + ["https://api.example/"]) }.text == text)
  }

  @Test("with -G, data is not a body, and a transfer may continue")
  func query() throws {
    #expect(try arguments("-C", "5", "-G", "-d", "x", "/").continuation?.offset == 5)
  }
}
