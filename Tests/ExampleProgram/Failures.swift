import AuthCore

/// The errors of the program itself.
enum ShopError: Error {
  case notFound
  case pleaseLogIn
  case tryLater
  case broken(APIError)
}

/// The ways in which a request can fail, and errors of the program's own.
struct Failures {
  let lab: Lab

  /// Something that the API never returns.
  struct Invoice: Decodable, Sendable {
    var number: Int
  }

  func run() async throws {
    let transport = lab.transport
    let client = APIClient(base: try lab.url("/open"), transport: transport)
    await show("an empty body", client, .get("status/204"))
    await show("something else", client, .get("me"))
    await show("an error", client, .get("status/500"))
    try await lab.order("fault", Fault(endpoint: "open", kind: "truncate", count: 1))
    await show("a broken connection", client, .get("me"))
    await show("no server", APIClient(base: try WebURL("http://127.0.0.1:1"), transport: transport), .get("me"))
    try await nobodyLoggedIn(transport)
    try await mapped(transport)
  }

  private func show(_ what: String, _ client: APIClient, _ request: APIRequest) async {
    do {
      let invoice = try await client.send(request, as: Invoice.self)
      print("\(what): invoice \(invoice.value.number)")
    } catch let error as APIError {
      print("\(what): \(Failures.advice(error))")
    } catch {
      print("\(what): \(error)")
    }
  }

  static func advice(_ error: APIError) -> String {
    switch error {
    case .server(let failure):
      "the API says \(failure.status): \(failure.code ?? "no code"), \(failure.message ?? "no message")"
    case .noData(let status):
      "the API says \(status), and nothing more"
    case .undecodable(let reason, _):
      "the API has changed: \(reason)"
    case .noResponse:
      "it may have worked: look before you repeat it"
    case .transport:
      "the network is not there: nothing was sent"
    case .authentication(.loginRequired):
      "log in"
    case .authentication(let error):
      "no token: \(error.explanation.why)"
    case .unusableRequest(let reason):
      "a bug: \(reason)"
    }
  }

  private func nobodyLoggedIn(_ transport: any HTTPTransport) async throws {
    let server = try AuthorizationServer("work", issuer: lab.origin, clientID: "cli", transport: transport)
    let session = TokenSession("work", storage: .memory, server: server)
    await show("nobody logged in", session.client(base: try lab.url("/api"), transport: transport), .get("me"))
  }

  private func mapped(_ transport: any HTTPTransport) async throws {
    let base = try lab.url("/open")

    var options = APIOptions()
    options.errorMapping = { error in
      switch error {
      case .server(let failure) where failure.status == 404: ShopError.notFound
      case .authentication(.loginRequired): ShopError.pleaseLogIn
      case .authentication(.tryLater), .transport, .noResponse: ShopError.tryLater
      default: ShopError.broken(error)
      }
    }
    let client = APIClient(base: base, transport: transport, options: options)

    do {
      _ = try await client.send(.get("status/404"), as: EmptyResponse.self)
    } catch {
      print("an error of our own: \(error)")
    }
  }
}
