// swift-tools-version: 6.2
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

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "authctl",
  products: [
    .executable(name: "authctl", targets: ["authctl"]),
    .library(name: "AuthCore", targets: ["AuthCore"]),
    .library(name: "CurlTransport", targets: ["Curl"]),
    .library(name: "Keyring", targets: ["Keyring"]),
    .library(name: "Images", targets: ["Images"]),
  ],
  // A program that holds refresh tokens is built from exact versions: of what comes along with others, too.
  dependencies: [
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    .package(url: "https://github.com/apple/swift-asn1.git", exact: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates.git", exact: "1.21.1"),
  ],
  targets: [
    .executableTarget(
      name: "authctl",
      dependencies: [
        "AuthctlCLI", "AuthCore", "Keyring", "KernelKeys", "Curl", "Images", "CProcess", "CQRCode", system,
      ],
      swiftSettings: strict),
    .target(
      name: "AuthctlCLI",
      dependencies: [
        "AuthCore", httpTypes, system,
        // The socket half of FlyingFox only: its HTTP half links Foundation's networking and 30 libraries with it,
        // which takes a process from 2.3 ms to 8 ms before it has done anything.
        .product(name: "FlyingSocks", package: "FlyingFox"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      resources: [.embedInCode("Manual"), .embedInCode("Styles"), .embedInCode("Templates")], swiftSettings: strict),
    .target(
      name: "AuthCore",
      dependencies: [
        httpTypes, logging, system, "CFiles", "CIDN",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "JWTKit", package: "jwt-kit"),
        // Not imported: what JWTKit brings along, named here so that its version is stated above.
        .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "X509", package: "swift-certificates"),
      ],
      swiftSettings: strict),
    .target(name: "Keyring", dependencies: ["AuthCore", "CSecret"], swiftSettings: strict),
    .target(name: "Curl", dependencies: ["AuthCore", "CCurl", httpTypes, system], swiftSettings: strict),
    .target(name: "KernelKeys", dependencies: ["AuthCore", "CKeys", system], swiftSettings: strict),
    .target(name: "Images", dependencies: ["AuthCore", "CPixbuf"], swiftSettings: strict),
    .target(name: "CCurl"),
    .target(name: "CFiles"),
    .target(name: "CIDN"),
    .target(name: "CKeys"),
    .target(name: "CPixbuf"),
    .target(name: "CProcess"),
    .target(name: "CQRCode"),
    .target(name: "CSecret"),
    .executableTarget(
      name: "authlab",
      dependencies: [
        .product(name: "FlyingSocks", package: "FlyingFox"), .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      path: "Tests/authlab", swiftSettings: strict),
    .testTarget(
      name: "AuthctlCLITests",
      dependencies: ["AuthctlCLI", "AuthCore", "TestSupport", "authctl", "authlab", httpTypes, system],
      exclude: ["Shells"], swiftSettings: strict),
    .executableTarget(
      name: "KeyringProbe", dependencies: ["Keyring", "AuthCore"], path: "Tests/KeyringProbe", swiftSettings: strict),
    .testTarget(
      name: "KeyringTests", dependencies: ["Keyring", "AuthCore", "TestSupport"], swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["AuthCore", system, .product(name: "FlyingSocks", package: "FlyingFox")],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "AuthlabTests",
      dependencies: ["TestSupport", "authlab", .product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: strict),
    .executableTarget(
      name: "CurlProbe", dependencies: ["Curl", "AuthCore", httpTypes, system], path: "Tests/CurlProbe",
      swiftSettings: strict),
    .testTarget(
      name: "CurlTests", dependencies: ["Curl", "AuthCore", "CCurl", "TestSupport", httpTypes, system],
      swiftSettings: strict),
    .testTarget(name: "ImagesTests", dependencies: ["Images", "AuthCore"], swiftSettings: strict),
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
    .executableTarget(
      name: "AuthCoreExample", dependencies: ["AuthCore", "Curl", "Keyring", "Images", httpTypes, logging],
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
  let fuzzed = ["AuthCore", "AuthctlCLI"]
  let aliases = fuzzed.flatMap { ["-module-alias", "\($0)=\($0)Fuzzed"] }
  for target in package.targets where fuzzed.contains(target.name) {
    package.targets.append(
      .target(
        name: target.name + "Fuzzed",
        dependencies: target.dependencies.map {
          if case .byNameItem("AuthCore", _) = $0 { "AuthCoreFuzzed" } else { $0 }
        },
        // Links to the sources: two targets can't have the same folder.
        path: ".build/fuzz/\(target.name)", resources: target.resources,
        swiftSettings: strict + [.unsafeFlags(sanitizers + aliases + speed + ["-enable-testing"])]))
  }
  package.targets += [
    .target(name: "CFuzz", path: "Tests/Fuzz/Seams", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(
      name: "Fuzz", dependencies: ["AuthCoreFuzzed", "AuthctlCLIFuzzed", "CFuzz", httpTypes, system],
      path: "Tests/Fuzz",
      exclude: ["Corpus", "Seams", "fuzz.sh"], swiftSettings: strict + [.unsafeFlags(sanitizers + aliases)],
      linkerSettings: [.unsafeFlags(sanitizers + ["-use-ld=lld"])]),
  ]
}
