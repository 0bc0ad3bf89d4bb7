import FoundationEssentials
import HTTPTypes

/// Sends requests to an API and returns typed responses.
///
/// Credentials go to the origin of the base URL only, and to the origins that the options name; a redirect to another
/// origin does not carry them. The interceptor adapts each request before it is sent, and decides after each attempt.
public struct APIClient: Sendable {
  let base: WebURL
  let transport: any HTTPTransport
  let interceptor: any Interceptor
  let options: APIOptions

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - base: the base URL that the paths of requests are relative to.
  ///   - interceptor: adds credentials to requests and decides on retries.
  public init(
    base: WebURL, transport: any HTTPTransport, interceptor: any Interceptor = InterceptorChain(),
    options: APIOptions = APIOptions()
  ) {
    self.base = base
    self.transport = transport
    self.interceptor = interceptor
    self.options = options
  }

  /// Sends a request and decodes the response; ``EmptyResponse`` accepts any success.
  ///
  /// - Throws: the error that ``APIOptions/errorMapping`` returns for an ``APIError``; `CancellationError` if the task
  ///   was cancelled; the errors of custom adapters and retriers.
  public func send<Value: Decodable & Sendable>(
    _ request: APIRequest, as type: Value.Type = Value.self
  ) async throws -> APIResponse<Value> {
    do {
      let httpResponse = try await acceptedResponse(to: request.acceptingJSON)
      let data = Data(httpResponse.body)
      let response = HTTPResponse(status: .init(code: httpResponse.status), headerFields: httpResponse.fields)
      return APIResponse(value: try decode(data, httpResponse.status), data: data, response: response)
    } catch {
      throw mapped(error)
    }
  }

  /// Sends a request for tokens to a session's server.
  ///
  /// - Parameter codes: where responses have their codes.
  /// - Throws: ``APIError``, unmapped: ``APIError/server(_:)`` for any response that refuses the request, also with a
  ///   successful status; the errors of custom adapters.
  func tokens<Reply: TokenReply>(
    by request: APIRequest, _ codes: ResponsePointers
  ) async throws -> (reply: Reply, response: TokenResponse) {
    let response = try await accepted(request, codes)
    do throws(APIError) {
      let reply: Reply = try decode(Data(response.body), response.status)
      do throws(TokenResponse.Malformed) { return (reply, try reply.response()) } catch {
        throw .undecodable(reason: error.reason, status: response.status)
      }
    } catch {
      let document = try? JSONValue(parsing: response.body)
      let code = document.flatMap { codes.code($0, among: codes.loginRequiredCodes) }
      guard codes.loginRequiredCodes.contains(code ?? "") else { throw error }
      throw APIError.server(ServerFailure(response))
    }
  }

  /// Sends a request with the secrets of a session.
  ///
  /// - Throws: as ``tokens(by:_:)``.
  @discardableResult
  func accepted(_ request: APIRequest, _ codes: ResponsePointers) async throws -> TransferResponse {
    let response = try await confidentialResponse(to: request.acceptingJSON)
    let document = try? JSONValue(parsing: response.body)
    guard (200...299).contains(response.status), document.map({ !codes.refuses($0) }) ?? true else {
      throw APIError.server(ServerFailure(response))
    }
    return response
  }

  /// Sends a request and returns the response unchanged, whatever its status.
  ///
  /// - Throws: the same errors as ``send(_:as:)``, except those for the server's status and for decoding.
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
      // Foundation's decoder takes time quadratic in the nesting depth.
      if options.decoder is JSONDecoder, let value = try JSONValue.parsed(data, as: Value.self) { return value }
      return try options.decoder.decode(Value.self, from: data)
    } catch {
      throw .undecodable(error, status: status)
    }
  }

  /// Returns the error that the options map an error to.
  func mapped(_ error: any Error) -> any Error {
    switch error {
    case let error as APIError: options.errorMapping(error)
    case let error as AuthError: options.errorMapping(.authentication(error))
    default: error
    }
  }
}

extension APIRequest {
  /// The request for JSON, unless it states what it accepts.
  fileprivate var acceptingJSON: APIRequest {
    var request = self
    if request.fields[.accept] == nil { request.fields[.accept] = "application/json" }
    return request
  }
}

extension JSONValue {
  /// Parses a body if the expected type is ``JSONValue``; returns nil for any other type.
  fileprivate static func parsed<Value>(_ data: Data, as type: Value.Type) throws -> Value? {
    type == JSONValue.self ? try JSONValue(parsing: data) as? Value : nil
  }
}
