import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("ProfilePaths")
struct ProfilePathsTests {
  @Test(
    "a relative path is in the folder, ~ is the home directory, a whole path stays",
    arguments: [
      ("ca.pem", "/p/ca.pem"), ("./k/ca.pem", "/p/k/ca.pem"), ("../ca.pem", "/p/../ca.pem"), ("~/ca.pem", "/h/ca.pem"),
      ("~", "/h"), ("~ca.pem", "/p/~ca.pem"), ("/e/ca.pem", "/e/ca.pem"), ("credential:ca", "credential:ca"),
    ])
  func absolute(path: String, expected: String) {
    #expect(ProfilePaths(folder: "/p", home: "/h").absolute(path) == expected)
  }

  private static let minimum = "issuer = \"https://id.example\"\nclient_id = \"cli\"\n"

  private func profile(_ text: String) throws -> Profile {
    let folder = try TemporaryDirectory()
    for name in ["profiles", "home"] {
      let path = folder.path.appending(name).string
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try folder.write("x", to: "profiles/ca.pem")
    let key = try folder.write("x", to: "home/robot.pem")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let directory = ProfileDirectory(folder.path.appending("profiles"), home: folder.path.appending("home"))
    let name = try #require(ProfileName("work"))
    try directory.write(text, as: name)
    var profile = try #require(try directory.profile(name))
    let root = folder.path.string + "/"
    profile.network.cacert = profile.network.cacert?.replacing(root, with: "")
    profile.network.clientCertificate = profile.network.clientCertificate?.replacing(root, with: "")
    profile.network.clientKey = profile.network.clientKey?.replacing(root, with: "")
    profile.assertion.key = profile.assertion.key?.replacing(root, with: "")
    return profile
  }

  @Test("the paths of a file are resolved against its folder and the home directory (profile.md)")
  func resolved() throws {
    let profile = try profile(
      ProfilePathsTests.minimum + """
        assertion_key = "~/key.pem"
        [network]
        cacert = "ca.pem"
        client_certificate = "~/robot.pem"
        client_key = "~/robot.pem"
        """)
    #expect(profile.network.cacert == "profiles/ca.pem")
    #expect(profile.network.clientCertificate == "home/robot.pem")
    #expect(profile.network.clientKey == "home/robot.pem")
    #expect(profile.assertion.key == "home/key.pem")
  }

  @Test(
    "a file that does not exist is an error of the profile that names key and file",
    arguments: ["cacert", "client_certificate", "client_key"])
  func missing(key: String) throws {
    let error = #expect(throws: AuthError.self) {
      try profile(ProfilePathsTests.minimum + "[network]\n\(key) = \"none.pem\"")
    }
    guard case .usage(let explanation)? = error else { throw Unexpected("\(String(describing: error))") }
    #expect(explanation.what == "profile work")
    #expect(explanation.why.contains("work.toml:4:1: '\(key)' names a file that does not exist: /"))
    #expect(explanation.why.hasSuffix("/profiles/none.pem"))
  }
}
