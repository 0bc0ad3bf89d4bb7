public import FoundationEssentials
public import HTTPTypes

extension APIRequest {
  /// Asks for a resource.
  public static func get(_ path: String, query: [(name: String, value: String)] = []) -> APIRequest {
    APIRequest(.get, path, query: query)
  }

  /// Removes a resource.
  public static func delete(_ path: String) -> APIRequest {
    APIRequest(.delete, path)
  }

  /// Posts nothing but the request itself.
  public static func post(_ path: String) -> APIRequest {
    APIRequest(.post, path)
  }

  /// Posts a value as JSON.
  ///
  /// - Throws: what the encoder throws.
  public static func post(
    _ path: String, json value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws -> APIRequest {
    try APIRequest(.post, path, json: value, encoder: encoder)
  }

  /// Posts a form (`application/x-www-form-urlencoded`).
  public static func post(_ path: String, form: [(name: String, value: String)]) -> APIRequest {
    var request = APIRequest(.post, path, body: .bytes(Array(FormEncoding.encode(form).utf8)))
    request.fields[.contentType] = "application/x-www-form-urlencoded"
    return request
  }

  /// Posts a form with texts and files (`multipart/form-data`).
  public static func post(_ path: String, multipart parts: [MultipartBody.Part]) -> APIRequest {
    let body = MultipartBody(parts)
    var request = APIRequest(.post, path, body: .bytes(body.bytes))
    request.fields[.contentType] = body.contentType
    return request
  }

  /// Replaces a resource by a value as JSON.
  ///
  /// - Throws: what the encoder throws.
  public static func put(
    _ path: String, json value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws -> APIRequest {
    try APIRequest(.put, path, json: value, encoder: encoder)
  }

  /// Changes a resource by a value as JSON (RFC 5789).
  ///
  /// - Throws: what the encoder throws.
  public static func patch(
    _ path: String, json value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws -> APIRequest {
    try APIRequest(.patch, path, json: value, encoder: encoder)
  }

  /// Makes a request whose body is a value as JSON.
  ///
  /// - Throws: what the encoder throws.
  public init(
    _ method: HTTPRequest.Method, _ path: String, json value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws {
    self.init(method, path, body: .bytes(Array(try encoder.encode(value))))
    fields[.contentType] = "application/json"
  }
}
