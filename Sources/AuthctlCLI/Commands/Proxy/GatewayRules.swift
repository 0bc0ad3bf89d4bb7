import AuthCore
import HTTPServer

/// Decides which requests pass the proxy: by the user, the host, the web page and the key that they come from.
struct GatewayRules: Sendable {
  /// A listening socket.
  struct Door: Sendable {
    /// What a client must have; nil for a unix socket that only the users themselves can open.
    let key: GatewayKey?
    /// The values of `Host` that name it; nil for any, on a unix socket.
    let hosts: Set<String>?
  }

  /// The listening sockets, in the order of the server.
  let doors: [Door]
  /// The users whose processes may send requests.
  let users: Set<UInt32>
  /// The web origins whose pages may send requests, besides the proxy's own.
  let origins: Set<Origin>
  /// The requests that pass; empty for all.
  let allowances: [GatewayAllowance]

  /// A request that passes.
  struct Passed: Sendable, Equatable {
    /// The path and the query; empty if the address ends with the key.
    var target: String
    /// What precedes them in the addresses that the client uses: the key, if it was there.
    var prefix: String
    /// The web origin of the page that has sent it, if that is another one.
    let origin: String?
  }

  /// The result for a request.
  enum Verdict: Sendable, Equatable {
    case passed(Passed)
    case answered(GatewayAnswer)
  }

  /// Decides about a request.
  func verdict(on request: ServerRequest) -> Verdict {
    let door = doors[request.listener]
    guard isWelcome(request.peer) else {
      return .answered(.refused(403, "the process that sends the request belongs to another user"))
    }
    guard request.method != "CONNECT", request.target.starts(withBytes: "/") else {
      return .answered(.refused(400, "the target is not a path: this is a reverse proxy"))
    }
    // A server that answers TRACE sends the token back.
    guard !["TRACE", "TRACK"].contains(request.method.uppercased()) else {
      return .answered(.refused(405, "this method would return the token"))
    }
    guard door.isOwn(host: request.values("host")) else {
      return .answered(.refused(403, "the Host of the request is not that of the proxy"))
    }
    let page: String?
    switch self.page(of: request, at: door) {
    case .own: page = nil
    case .allowed(let origin): page = origin
    case .foreign(let why): return .answered(.refused(403, why))
    }
    if let page, request.method == "OPTIONS", request.value("access-control-request-method") != nil {
      return .answered(.preflight(request, page))
    }
    let result = keyed(request, page, door.key)
    guard let page, case .answered(let answer) = result else { return result }
    return .answered(answer.readable(by: page))
  }

  /// Whether requests of a process are considered at all.
  func isWelcome(_ peer: ServerPeer) -> Bool { peer.uid.map(users.contains) ?? false }

  /// Decides by the key, the path and the method.
  private func keyed(_ request: ServerRequest, _ page: String?, _ key: GatewayKey?) -> Verdict {
    var (target, prefix) = (request.target, "")
    if let key {
      if let rest = key.stripped(from: target) {
        (target, prefix) = (rest, "/" + key.text.exposed)
      } else if !request.values("authorization").contains(where: key.isIn(authorization:)) {
        return .answered(.keyMissing)
      }
    }
    guard allowances.permit(request.method, target.prefix(upToAny: "?")) else {
      return .answered(.refused(403, "no --allow permits this method and path"))
    }
    if let words = GatewayRules.upgrade(request) { return .answered(.refused(501, words)) }
    return .passed(Passed(target: target, prefix: prefix, origin: page))
  }

  /// Returns why a request to change the protocol is refused; nil if there is none. HTTP/2 is an offer that may be
  /// ignored.
  private static func upgrade(_ request: ServerRequest) -> String? {
    let names = request.values("upgrade").flatMap { $0.split(atAny: ", ") }
    guard let name = names.first(where: { !$0.lowercased().isEqual(toBytes: "h2c") }) else { return nil }
    return "the proxy passes HTTP only, and no upgrade to \(Escaped.text(name, limit: 40))"
  }

  /// The web page that a request comes from.
  private enum Page {
    case own
    case allowed(String)
    case foreign(String)
  }

  private func page(of request: ServerRequest, at door: Door) -> Page {
    let origins = request.values("origin")
    let sites = request.values("sec-fetch-site")
    guard origins.count <= 1, sites.count <= 1 else { return .foreign("Origin or Sec-Fetch-Site occurs twice") }
    if let text = origins.first, !door.isOwn(origin: text) {
      guard let origin = GatewayRules.origin(text), self.origins.contains(origin) else {
        return .foreign("the web page is of another origin: --allow-origin permits one")
      }
      return .allowed(text)
    }
    guard let site = sites.first?.lowercased(), site != "none", site != "same-origin" else { return .own }
    return .foreign("the web page is of another site")
  }

  /// Returns the origin that a text is; nil if it is none, such as `null`.
  private static func origin(_ text: String) -> Origin? {
    guard let url = try? WebURL(text), url.pathAndQuery == "/", !text.ends(withBytes: "/") else { return nil }
    return url.origin
  }
}

extension GatewayRules.Door {
  fileprivate func isOwn(host values: [String]) -> Bool {
    guard let hosts else { return true }
    return values.count == 1 && hosts.contains(values[0].lowercased())
  }

  fileprivate func isOwn(origin text: String) -> Bool {
    guard let hosts, let host = text.dropping(prefix: "http://") else { return false }
    return hosts.contains(host.lowercased())
  }
}
