import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("ProfileDirectory")
struct ProfileDirectoryTests {
  private static let text = "issuer = \"https://id.example\"\nclient_id = \"cli\"\n"

  private let folder: TemporaryDirectory
  private let directory: ProfileDirectory
  private let work: ProfileName

  init() throws {
    folder = try TemporaryDirectory()
    directory = ProfileDirectory(folder.path.appending("authctl/profiles"))
    work = try #require(ProfileName("work"))
  }

  @Test("a folder that does not exist holds no profile")
  func absent() throws {
    #expect(try directory.names() == [])
    #expect(try directory.profile(work) == nil)
  }

  @Test("a profile is written for its owner's eyes only, and read again")
  func written() throws {
    try directory.write(ProfileDirectoryTests.text, as: work)
    #expect(try mode(of: directory.file(of: work)) == 0o600)
    #expect(try mode(of: directory.path) == 0o700)
    #expect(try directory.profile(work)?.clientID == "cli")
    #expect(directory.file(of: work) == directory.path.appending("work.toml"))
  }

  @Test("a file that is there is never overwritten")
  func exclusive() throws {
    try directory.write(ProfileDirectoryTests.text, as: work)
    #expect(
      throws: AuthError.failed(
        .init(
          "writing the profile work", why: "\(directory.file(of: work)): File exists",
          hint: "check the folder's owner and the disk"))
    ) { try directory.write("x", as: work) }
    #expect(try directory.profile(work)?.clientID == "cli")
  }

  @Test("names are listed in order, other files passed over")
  func names() throws {
    for name in ["b", "a", "c.d"] {
      try directory.write(ProfileDirectoryTests.text, as: #require(ProfileName(name)))
    }
    for other in ["notes.txt", ".hidden.toml", "-x.toml", "e.toml~"] {
      try folder.write("", to: "authctl/profiles/\(other)")
    }
    #expect(try directory.names().map(\.string) == ["a", "b", "c.d"])
  }

  @Test(
    "only a file that names no store, however it is written, certainly has one",
    arguments: [
      ("", true), ("# restored from a backup\n", false), ("store = \"none\"\n", false),
      ("\"st\\u006fre\" = \"none\"\n", false), ("description = \"\\\"\"\n", false),
    ])
  func store(line: String, isCertain: Bool) throws {
    try directory.write(ProfileDirectoryTests.text + line, as: work)
    #expect(directory.certainlyLacks(["store"], work) == isCertain)
  }

  @Test(
    "of several keys, none may be in the file",
    arguments: [("", true), ("cache = \"30s\"\n", false), ("store = \"none\"\n", false), ("# a cache\n", false)])
  func severalKeys(line: String, isCertain: Bool) throws {
    try directory.write(ProfileDirectoryTests.text + line, as: work)
    #expect(directory.certainlyLacks(["store", "cache"], work) == isCertain)
  }

  @Test("a profile that is read from a file knows its text, by which a change is noticed")
  func text() throws {
    try directory.write(ProfileDirectoryTests.text, as: work)
    #expect(try directory.profile(work)?.text == ProfileDirectoryTests.text)
  }

  @Test("a profile that is absent or can't be read certainly has a store: what is wrong is said when it is read")
  func storeUnknown() throws {
    #expect(directory.certainlyLacks(["store"], work))
    try FileManager.default.createDirectory(
      atPath: directory.file(of: work).string, withIntermediateDirectories: true)
    #expect(directory.certainlyLacks(["store"], work))
  }

  @Test("a file that can't be read is an error that names it")
  func unreadable() throws {
    try directory.write(ProfileDirectoryTests.text, as: #require(ProfileName("other")))
    try FileManager.default.createDirectory(
      atPath: directory.file(of: work).string, withIntermediateDirectories: false)
    #expect(
      throws: AuthError.usage(
        .init(
          "the profiles", why: "\(directory.file(of: work)): it can't be read", hint: "check its owner and mode"))
    ) { try directory.profile(work) }
  }

  @Test(
    "a file that others may change is refused, as it decides where tokens go, through a link too",
    arguments: [0o664, 0o602, 0o622])
  func writableByOthers(mode: Int) throws {
    let other = try #require(ProfileName("other"))
    try directory.write(ProfileDirectoryTests.text, as: work)
    let file = directory.file(of: work).string
    try FileManager.default.createSymbolicLink(atPath: directory.file(of: other).string, withDestinationPath: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    for name in [work, other] {
      let file = directory.file(of: name)
      #expect(
        throws: AuthError.usage(
          .init(
            "profile \(name)", why: "\(file): other users may access it (mode \(String(mode, radix: 8)))",
            hint: "run: chmod go-w \(file)"))
      ) { try directory.profile(name) }
    }
  }

  @Test("a file that others may read is read", arguments: [0o644, 0o444, 0o755])
  func readableByOthers(mode: Int) throws {
    try directory.write(ProfileDirectoryTests.text, as: work)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.file(of: work).string)
    #expect(try directory.profile(work)?.clientID == "cli")
  }

  @Test("a file of another user is refused", .enabled(if: geteuid() == 0))
  func foreign() throws {
    try directory.write(ProfileDirectoryTests.text, as: work)
    let file = directory.file(of: work)
    #expect(unsafe chown(file.string, 4711, 0) == 0)
    #expect(
      throws: AuthError.usage(
        .init(
          "profile work", why: "\(file): it belongs to another user (uid 4711)",
          hint: "use a file of your own: copy it, or run: chown 0 \(file)"))
    ) { try directory.profile(work) }
  }

  @Test(
    "a folder that others may change is refused, sticky or not: a link in it could name another file of the user",
    arguments: [0o777, 0o775, 0o702, 0o1777])
  func folderWritableByOthers(mode: Int) throws {
    try directory.write(ProfileDirectoryTests.text, as: work)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.path.string)
    #expect(
      throws: AuthError.usage(
        .init(
          "profile work",
          why: "\(directory.path): other users may access it (mode \(String(mode & 0o777, radix: 8)))",
          hint: "run: chmod go-w \(directory.path)"))
    ) { try directory.profile(work) }
    let other = try #require(ProfileName("other"))
    #expect(try directory.profile(other) == nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path.string)
    #expect(try directory.profile(work)?.clientID == "cli")
  }

  @Test("a folder of another user is refused", .enabled(if: geteuid() == 0))
  func foreignFolder() throws {
    try directory.write(ProfileDirectoryTests.text, as: work)
    #expect(unsafe chown(directory.path.string, 4711, 0) == 0)
    let error = try #require(throws: AuthError.self) { try directory.profile(work) }
    #expect(error.explanation.why == "\(directory.path): it belongs to another user (uid 4711)")
  }

  @Test("a file that is not UTF-8 is an error that names it")
  func encoding() throws {
    try directory.write(ProfileDirectoryTests.text, as: work)
    try Data([0x61, 0xFF]).write(to: URL(filePath: directory.file(of: work).string))
    #expect(
      throws: AuthError.usage(
        .init("profile work", why: "\(directory.file(of: work)) is not UTF-8 text", hint: "save it as UTF-8"))
    ) { try directory.profile(work) }
  }
}
