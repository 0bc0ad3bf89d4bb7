import Foundation
import TestSupport

/// A key pair of a client in files of its own, made by openssl.
final class ClientKey: Sendable {
  /// How it is made: the arguments of openssl, before the name of the file.
  enum Kind: String, Sendable {
    case rsa = "genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out"
    case p256 = "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out"
    case p256SEC1 = "ecparam -name prime256v1 -genkey -out"
    case p384 = "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out"
    case p521 = "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-521 -out"
    case ed25519 = "genpkey -algorithm ED25519 -out"
  }

  /// The file of the private key, mode 0600.
  let file: String
  /// The file of the public key.
  let publicFile: String
  private let folder: URL

  /// Makes a key.
  /// - Throws: `SessionError` where openssl does not.
  init(_ kind: Kind) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appending(path: "key.pem").path
    publicFile = folder.appending(path: "public.pem").path
    try openssl(kind.rawValue.split(separator: " ").map(String.init) + [file])
    try openssl(["pkey", "-in", file, "-pubout", "-out", publicFile])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The private key as text.
  /// - Throws: `CocoaError` where it can't be read.
  func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  /// Turns the key into another file beside it and returns its path.
  /// - Throws: `SessionError` where openssl does not.
  func converted(_ arguments: [String]) throws -> String {
    let path = folder.appending(path: "other.pem").path
    try openssl(arguments + ["-in", file, "-out", path])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private func openssl(_ arguments: [String]) throws {
    let run = try ProgramRun(
      "/usr/bin/openssl", arguments, environment: ["PATH": "/usr/bin:/bin"], folder: folder)
    let outcome = try run.wait()
    guard outcome.status == 0 else { throw SessionError("openssl: \(outcome.error)") }
  }
}
