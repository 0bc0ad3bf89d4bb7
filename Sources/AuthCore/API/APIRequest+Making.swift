public import FoundationEssentials
public import HTTPTypes

extension APIRequest {
  /// Creates a request for a resource (GET).
  public static func get(_ path: String, query: [(name: String, value: String)] = []) -> APIRequest {
    APIRequest(.get, path, query: query)
  }

  /// Creates a request that deletes a resource (DELETE).
  public static func delete(_ path: String) -> APIRequest {
    APIRequest(.delete, path)
  }

  /// Creates a POST request without a body.
  public static func post(_ path: String) -> APIRequest {
    APIRequest(.post, path)
  }

  /// Creates a PUT request without a body.
  public static func put(_ path: String) -> APIRequest {
    APIRequest(.put, path)
  }

  /// Creates a PATCH request without a body.
  public static func patch(_ path: String) -> APIRequest {
    APIRequest(.patch, path)
  }

  /// Creates a POST request with a value as JSON.
  ///
  /// - Throws: the error from the encoder.
  public static func post(
    _ path: String, json value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws -> APIRequest {
    try APIRequest(.post, path, json: value, encoder: encoder)
  }

  /// Creates a POST request with a form (`application/x-www-form-urlencoded`).
  public static func post(_ path: String, form: [(name: String, value: String)]) -> APIRequest {
    var request = APIRequest(.post, path, body: .bytes(Array(FormEncoding.encode(form).utf8)))
    request.fields[.contentType] = "application/x-www-form-urlencoded"
    return request
  }

  /// Creates a POST request with a form of texts and files (`multipart/form-data`).
  public static func post(_ path: String, multipart parts: [MultipartBody.Part]) -> APIRequest {
    let body = MultipartBody(parts)
    var request = APIRequest(.post, path, body: .bytes(body.bytes))
    request.fields[.contentType] = body.contentType
    return request
  }

  /// Creates a PUT request that replaces a resource with a value as JSON.
  ///
  /// - Throws: the error from the encoder.
  public static func put(
    _ path: String, json value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws -> APIRequest {
    try APIRequest(.put, path, json: value, encoder: encoder)
  }

  /// Creates a PATCH request that changes a resource with a value as JSON (RFC 5789).
  ///
  /// - Throws: the error from the encoder.
  public static func patch(
    _ path: String, json value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws -> APIRequest {
    try APIRequest(.patch, path, json: value, encoder: encoder)
  }

  /// Creates a request with a value as JSON in the body.
  ///
  /// - Throws: the error from the encoder.
  public init(
    _ method: HTTPRequest.Method, _ path: String, json value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws {
    self.init(method, path, body: .bytes(Array(try encoder.encode(value))))
    fields[.contentType] = "application/json"
  }
}
