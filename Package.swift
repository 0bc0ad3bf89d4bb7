// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every target of ours: Swift 6 mode, imports stated and kept inside, unsafe code marked, no warning left standing.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// The exact version of each package, with which `make` builds: a program that holds refresh tokens has no others. Nil
/// for a plain `swift build` and for programs that use the library: these accept later minor versions, too.
let pins: [String: Version]? = try Context.environment["AUTHCTL_PINNED"].map { _ in
  let text = try String(contentsOfFile: "\(Context.packageDirectory)/.make/pins", encoding: .utf8)
  let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
  return Dictionary(
    uniqueKeysWithValues: stride(from: 0, to: words.count, by: 2).map {
      (words[$0], Version(stringLiteral: words[$0 + 1]))
    })
}

/// Returns a dependency on a package: on its pinned version, or on this version or a later minor version.
func dependency(
  _ url: String, from version: Version, traits: Set<Package.Dependency.Trait> = [.defaults]
) -> Package.Dependency {
  guard let pins else { return .package(url: url, from: version, traits: traits) }
  let name = url.split(separator: "/").last?.lowercased().replacing(".git", with: "") ?? ""
  guard let pinned = pins[name] else { fatalError("\(name) is not in .make/pins") }
  return .package(url: url, exact: pinned, traits: traits)
}

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "authctl",
  products: [
    .executable(name: "authctl", targets: ["authctl"]),
    .library(name: "AuthCore", targets: ["AuthCore"]),
    .library(name: "AuthCurl", targets: ["AuthCurl"]),
    .library(name: "AuthKeyring", targets: ["AuthKeyring"]),
    .library(name: "AuthImages", targets: ["AuthImages"]),
  ],
  dependencies: [
    dependency("https://github.com/apple/swift-http-types", from: "1.8.0"),
    dependency("https://github.com/apple/swift-crypto", from: "4.5.2"),
    dependency("https://github.com/apple/swift-log", from: "1.16.2"),
    dependency("https://github.com/vapor/jwt-kit", from: "5.7.1"),
    dependency("https://github.com/apple/swift-system", from: "1.8.1"),
    dependency("https://github.com/apple/swift-nio", from: "2.101.2"),
    dependency("https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    dependency("https://github.com/apple/swift-asn1.git", from: "1.7.4"),
    dependency("https://github.com/apple/swift-certificates.git", from: "1.21.1"),
    dependency("https://github.com/apple/swift-atomics", from: "1.3.0"),
    dependency("https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "authctl",
      dependencies: [
        "AuthctlCLI", "AuthCore", "AuthKeyring", "KernelKeys", "AuthCurl", "AuthImages", "CProcess", "CQRCode", system,
      ],
      swiftSettings: strict + (pins == nil ? [.define("UNPINNED")] : [])),
    .target(
      name: "AuthctlCLI",
      dependencies: [
        "AuthCore", "HTTPServer", httpTypes, system,
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      resources: [.embedInCode("Manual"), .embedInCode("Styles"), .embedInCode("Templates")], swiftSettings: strict),
    .target(
      name: "AuthCore",
      dependencies: [
        httpTypes, logging, system, "CAuthFiles", "CAuthIDN",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "JWTKit", package: "jwt-kit"),
        // Not imported: what JWTKit brings along, named here so that its version is pinned.
        .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "X509", package: "swift-certificates"),
      ],
      swiftSettings: strict),
    .target(
      name: "HTTPServer",
      dependencies: [
        "AuthCore", "CSockets", system,
        // Its event loops and sockets. Its decoder knows only some methods, and reads what nginx refuses.
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        // Not imported, as above.
        .product(name: "Atomics", package: "swift-atomics"),
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: strict),
    .target(name: "AuthKeyring", dependencies: ["AuthCore", "CAuthSecret"], swiftSettings: strict),
    .target(name: "AuthCurl", dependencies: ["AuthCore", "CAuthCurl", httpTypes, system], swiftSettings: strict),
    .target(name: "KernelKeys", dependencies: ["AuthCore", "CKeys", system], swiftSettings: strict),
    .target(name: "AuthImages", dependencies: ["AuthCore", "CAuthPixbuf"], swiftSettings: strict),
    .target(name: "CAuthCurl"),
    .target(name: "CAuthFiles"),
    .target(name: "CAuthIDN"),
    .target(name: "CKeys"),
    .target(name: "CAuthPixbuf"),
    .target(name: "CProcess"),
    .target(name: "CQRCode"),
    .target(name: "CSockets"),
    .target(name: "CAuthSecret"),
    .executableTarget(
      name: "authlab",
      dependencies: [
        "HTTPServer", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      path: "Tests/authlab", swiftSettings: strict),
    .testTarget(
      name: "AuthctlCLITests",
      dependencies: ["AuthctlCLI", "AuthCore", "HTTPServer", "TestSupport", "authctl", "authlab", httpTypes, system],
      exclude: ["Shells"], swiftSettings: strict),
    .executableTarget(
      name: "KeyringProbe", dependencies: ["AuthKeyring", "AuthCore"], path: "Tests/KeyringProbe", swiftSettings: strict
    ),
    .testTarget(
      name: "KeyringTests", dependencies: ["AuthKeyring", "AuthCore", "TestSupport"], swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["AuthCore", system], path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "AuthlabTests",
      dependencies: ["TestSupport", "authlab", .product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: strict),
    .executableTarget(
      name: "CurlProbe", dependencies: ["AuthCurl", "AuthCore", httpTypes, system], path: "Tests/CurlProbe",
      swiftSettings: strict),
    .testTarget(
      name: "CurlTests", dependencies: ["AuthCurl", "AuthCore", "CAuthCurl", "TestSupport", httpTypes, system],
      swiftSettings: strict),
    .testTarget(name: "ImagesTests", dependencies: ["AuthImages", "AuthCore"], swiftSettings: strict),
    .executableTarget(
      name: "KernelKeysProbe", dependencies: ["KernelKeys", "AuthCore"], path: "Tests/KernelKeysProbe",
      swiftSettings: strict),
    .testTarget(
      name: "KernelKeysTests", dependencies: ["KernelKeys", "AuthCore", "TestSupport", system], swiftSettings: strict),
    .testTarget(
      name: "AuthCoreTests",
      dependencies: [
        "AuthCore", "TestSupport", httpTypes, logging, system, .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "InMemoryLogging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HTTPServerTests", dependencies: ["HTTPServer", system], exclude: ["malformed.txt"], swiftSettings: strict),
    .executableTarget(
      name: "AuthCoreExample", dependencies: ["AuthCore", "AuthCurl", "AuthKeyring", "AuthImages", httpTypes, logging],
      path: "Tests/ExampleProgram",
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "TestSupport", "AuthctlCLI", "authctl", "authlab", "AuthCoreExample",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict),
  ]
)

// The fuzzing targets: `Tests/Fuzz/fuzz.sh` builds the modules that they test a second time, with the sanitizers and
// under other names, beside the debug build and with its packages. No other build knows of them.
if Context.environment["AUTHCTL_FUZZ"] != nil {
  let sanitizers = ["-sanitize=fuzzer,address"]
  // Optimized, they try five times as many inputs in the same time, and take three times as long to build.
  let speed = Context.environment["AUTHCTL_FUZZ"] == "fast" ? ["-O"] : ["-gnone"]
  let fuzzed = ["AuthCore", "HTTPServer", "AuthctlCLI"]
  let aliases = fuzzed.flatMap { ["-module-alias", "\($0)=\($0)Fuzzed"] }
  for target in package.targets where fuzzed.contains(target.name) {
    package.targets.append(
      .target(
        name: target.name + "Fuzzed",
        dependencies: target.dependencies.map { dependency -> Target.Dependency in
          guard case .byNameItem(let name, _) = dependency, fuzzed.contains(name) else { return dependency }
          return .target(name: name + "Fuzzed")
        },
        // Links to the sources: two targets can't have the same folder.
        path: ".build/fuzz/\(target.name)", resources: target.resources,
        swiftSettings: strict + [.unsafeFlags(sanitizers + aliases + speed + ["-enable-testing"])]))
  }
  package.targets += [
    .target(name: "CFuzz", path: "Tests/Fuzz/Seams", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(
      name: "Fuzz", dependencies: fuzzed.map { .target(name: $0 + "Fuzzed") } + ["CFuzz", httpTypes, system],
      path: "Tests/Fuzz",
      exclude: ["Corpus", "Seams", "fuzz.sh"], swiftSettings: strict + [.unsafeFlags(sanitizers + aliases)],
      linkerSettings: [.unsafeFlags(sanitizers + ["-use-ld=lld"])]),
  ]
}
