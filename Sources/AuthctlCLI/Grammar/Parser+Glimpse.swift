extension Parser {
  /// The value of an option on a line that need not be right, for the report of what is wrong with it: `--errors=json`
  /// holds for the error of its own line, wherever it stands.
  ///
  /// The option is recognized by its long name alone, up to `--`; a value that isn't one of its choices is passed over.
  func glimpse(_ option: Option, in arguments: [String]) -> String? {
    let name = "--\(option.long)"
    let choices = option.value?.choices ?? []
    var found: String?
    var previous = ""
    for argument in arguments.prefix(while: { $0 != "--" }) {
      let value = previous == name ? argument : String(argument.dropFirst(name.count + 1))
      if previous == name || argument.hasPrefix(name + "="), choices.contains(value) { found = value }
      previous = argument
    }
    return found
  }
}
