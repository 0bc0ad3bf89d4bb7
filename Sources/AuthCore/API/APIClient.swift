import FoundationEssentials
import HTTPTypes

/// Sends requests to an API and gives typed answers.
///
/// Credentials go to the origin of the base only, and to those that the options name; a redirect to another one leaves
/// them behind. Both halves of the interceptor are asked for each request: before it is sent, and after.
public struct APIClient: Sendable {
  let base: WebURL
  let transport: any HTTPTransport
  let interceptor: any Interceptor
  let options: APIOptions

  /// Puts a client together.
  ///
  /// - Parameters:
  ///   - base: what the paths of requests stand below.
  ///   - interceptor: puts credentials on requests and decides about sending again.
  public init(
    base: WebURL, transport: any HTTPTransport, interceptor: any Interceptor = InterceptorChain(),
    options: APIOptions = APIOptions()
  ) {
    self.base = base
    self.transport = transport
    self.interceptor = interceptor
    self.options = options
  }

  /// Sends a request and decodes the response; ``EmptyResponse`` takes any success.
  ///
  /// - Throws: what ``APIOptions/errorMapping`` makes of an ``APIError``; `CancellationError` when the task was
  ///   cancelled; what adapters and retriers of the program's own throw.
  public func send<Value: Decodable & Sendable>(
    _ request: APIRequest, as type: Value.Type = Value.self
  ) async throws -> APIResponse<Value> {
    var request = request
    if request.fields[.accept] == nil { request.fields[.accept] = "application/json" }
    do {
      let httpResponse = try await acceptedResponse(to: request)
      let data = Data(httpResponse.body)
      let response = HTTPResponse(status: .init(code: httpResponse.status), headerFields: httpResponse.fields)
      return APIResponse(value: try decode(data, httpResponse.status), data: data, response: response)
    } catch {
      throw mapped(error)
    }
  }

  /// Sends a request and gives the response as it came, of whatever status.
  ///
  /// - Throws: as ``send(_:as:)``, but for the errors of server and decoding.
  public func response(to request: APIRequest) async throws -> TransferResponse {
    do {
      return try await finalResponse(to: request)
    } catch {
      throw mapped(error)
    }
  }

  private func acceptedResponse(to request: APIRequest) async throws -> TransferResponse {
    let httpResponse = try await finalResponse(to: request)
    guard (200...299).contains(httpResponse.status) else { throw APIError.server(ServerFailure(httpResponse)) }
    return httpResponse
  }

  private func decode<Value: Decodable & Sendable>(_ data: Data, _ status: Int) throws(APIError) -> Value {
    if let empty = EmptyResponse() as? Value { return empty }
    guard !data.isEmpty else { throw .noData(status: status) }
    do {
      // Foundation's decoder takes the time of the depth squared for it.
      if options.decoder is JSONDecoder, let value = try JSONValue.parsed(data, as: Value.self) { return value }
      return try options.decoder.decode(Value.self, from: data)
    } catch {
      throw .undecodable(error, status: status)
    }
  }

  private func mapped(_ error: any Error) -> any Error {
    switch error {
    case let error as APIError: options.errorMapping(error)
    case let error as AuthError: options.errorMapping(.authentication(error))
    default: error
    }
  }
}

extension JSONValue {
  /// Parses a body of which a ``JSONValue`` is wanted; nil for any other type.
  fileprivate static func parsed<Value>(_ data: Data, as type: Value.Type) throws -> Value? {
    type == JSONValue.self ? try JSONValue(parsing: data) as? Value : nil
  }
}
