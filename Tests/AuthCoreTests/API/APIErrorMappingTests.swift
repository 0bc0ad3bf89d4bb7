import Foundation
import Testing

@testable import AuthCore

@Suite("APIOptions.errorMapping")
struct APIErrorMappingTests {
  enum AppError: Error, Equatable {
    case notFound
    case logIn(String)
    case other(APIError)
  }

  private func client(_ api: FakeAPI, _ interceptor: any Interceptor = InterceptorChain()) throws -> APIClient {
    var options = APIOptions()
    options.errorMapping = { error in
      switch error {
      case .server(let failure) where failure.status == 404: AppError.notFound
      case .authentication(let error): AppError.logIn(error.explanation.why)
      default: AppError.other(error)
      }
    }
    return APIClient(
      base: try WebURL("https://api.example"), transport: api, interceptor: interceptor, options: options)
  }

  @Test(
    "the program's own errors are thrown",
    arguments: [(404, "", AppError.notFound), (200, "", .other(.noData(status: 200)))])
  func mapped(status: Int, body: String, expected: AppError) async throws {
    let client = try client(FakeAPI(status, body))
    await #expect(throws: expected) { try await client.send(.get("x"), as: Int.self) }
  }

  @Test("an error of the authentication is mapped too, from both ways to send")
  func authentication() async throws {
    let client = try client(FakeAPI(200, "1"), TokenInterceptor(NoCredentials()))
    await #expect(throws: AppError.logIn("not logged in")) { try await client.send(.get("x"), as: Int.self) }
    await #expect(throws: AppError.logIn("not logged in")) { try await client.response(to: .get("x")) }
  }

  @Test("a cancelled task throws CancellationError, which is not mapped")
  func cancelled() async throws {
    let client = try client(FakeAPI { _ in throw CancellationError() })
    await #expect(throws: CancellationError.self) { try await client.send(.get("x"), as: Int.self) }
  }

  @Test("an error of the program's own adapter reaches the program unchanged")
  func own() async throws {
    struct Closed: Error {}
    struct Shut: RequestAdapter {
      func adapt(_ request: APIRequest) async throws -> APIRequest { throw Closed() }
    }
    let api = FakeAPI(200, "1")
    let client = try client(api, InterceptorChain(adapters: [Shut()]))
    await #expect(throws: Closed.self) { try await client.send(.get("x"), as: Int.self) }
    #expect(api.requests.isEmpty)
  }
}
