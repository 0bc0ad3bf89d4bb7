/// One parser and what must hold of it whatever it is given.
protocol FuzzTarget {
  /// The word that names it on the command line, and its folder in `Corpus`.
  static var name: String { get }
  /// Gives it an input; ends the process where a property is broken.
  static func check(_ bytes: [UInt8])
}

extension FuzzTarget {
  /// Ends the process, which libFuzzer takes for a crash, where something that must hold doesn't.
  static func require(_ holds: Bool, _ property: @autoclosure () -> String) {
    guard !holds else { return }
    fatalError("\(name): broken: \(property())")
  }

  /// Requires that a message can be shown on a terminal whatever it is about.
  static func requireShowable(_ message: String) {
    require(
      message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
      "no control character in a message: \(message.debugDescription)")
  }
}
