import AuthCore

/// The style of a ``TracePage``.
enum TracePageStyle {
  /// Returns the style of a page with a number of lanes, and with tokens that can be followed.
  static func text(lanes: Int, tokens: [TraceToken]) -> String {
    let common = String(decoding: PackageResources.trace_css, as: UTF8.self)
    return ([common] + columns(lanes) + colours(tokens) + tokens.map(following)).joined(separator: "\n")
  }

  /// Each lane is two columns wide, so that arrows begin and end in the middle of a lane.
  private static func columns(_ lanes: Int) -> [String] {
    var rules = [".lanes{grid-template-columns:repeat(\(max(1, lanes * 2)),minmax(0,1fr))}"]
    for lane in 0..<lanes {
      let isLeft = lane * 2 < lanes
      rules.append(".l\(lane){grid-column:\(lane * 2 + 1)/span 2}")
      rules.append(".from\(lane){grid-column:\(lane * 2 + 2)/-1;justify-self:start}")
      rules.append(".to\(lane){grid-column:1/\(lane * 2 + 2);justify-self:end;text-align:right}")
      rules.append(
        isLeft
          ? ".n\(lane){grid-column:\(lane * 2 + 1)/-1;justify-self:start}"
          : ".n\(lane){grid-column:1/\(lane * 2 + 3);justify-self:end}")
      for other in lane + 1..<max(lanes, lane + 1) {
        rules.append(".a\(lane)-\(other){grid-column:\(lane * 2 + 2)/\(other * 2 + 2)}")
      }
    }
    return rules
  }

  /// The hue of each token; further tokens are grey.
  private static func colours(_ tokens: [TraceToken]) -> [String] {
    TraceToken.hues(of: tokens).map { token, hue in ".k-\(token.fingerprint){--hue:\(hue);--sat:1}" }
  }

  /// Dims the steps without a token while it is chosen.
  private static func following(_ token: TraceToken) -> String {
    let id = "#t-\(token.fingerprint)"
    return "\(id):checked~main .step:not(.has-\(token.fingerprint)){opacity:.28}"
      + "\(id):checked~header [for=t-\(token.fingerprint)]{outline:2px solid var(--text)}"
      + "\(id):checked~header .c-\(token.fingerprint){display:block}"
      + "\(id):focus-visible~header [for=t-\(token.fingerprint)]{outline:2px solid var(--link)}"
  }
}
