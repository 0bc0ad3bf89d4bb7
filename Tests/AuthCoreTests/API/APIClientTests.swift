import Foundation
import HTTPTypes
import Testing

@testable import AuthCore

@Suite("APIClient")
struct APIClientTests {
  struct Item: Codable, Sendable, Equatable {
    var id: Int
    var name: String
  }

  private func client(
    _ api: FakeAPI, base: String = "https://api.example/v1", _ change: (inout APIOptions) -> Void = { _ in }
  ) throws -> APIClient {
    var options = APIOptions()
    change(&options)
    return APIClient(base: try WebURL(base), transport: api, options: options)
  }

  @Test("a response has the value, the body and the HTTP response")
  func typed() async throws {
    let body = #"{"id":7,"name":"seven"}"#
    let api = FakeAPI(201, body, fields: [.eTag: "\"x\""])
    let response: APIResponse<Item> = try await client(api).send(.get("items/7"))
    #expect(response.value == Item(id: 7, name: "seven"))
    #expect(response.data == Data(body.utf8))
    #expect(response.response.status == .created)
    #expect(response.response.headerFields[.eTag] == "\"x\"")
  }

  @Test("any JSON is parsed as strictly as a token response: 64 deep, the last of two members")
  func anyJSON() async throws {
    let response = try await client(FakeAPI(200, #"{"a":1,"a":2}"#)).send(.get("x"), as: JSONValue.self)
    #expect(response.value == .object(["a": .integer(2)]))
    let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    await #expect(throws: APIError.undecodable(reason: "the body can't be read", status: 200)) {
      try await client(FakeAPI(200, deep)).send(.get("x"), as: JSONValue.self)
    }
  }

  @Test(
    "paths stand below the base, whole URLs for themselves",
    arguments: [
      ("https://api.example/v1", "items", "https://api.example/v1/items"),
      ("https://api.example/v1/", "/items/7", "https://api.example/v1/items/7"),
      ("https://api.example", "items?x=1", "https://api.example/items?x=1"),
      ("https://api.example/v1?key=x", "items", "https://api.example/v1/items"),
      ("https://api.example/v1", "", "https://api.example/v1"),
      ("https://api.example/v1", "https://other.example/x", "https://other.example/x"),
    ])
  func url(base: String, path: String, url: String) async throws {
    let api = FakeAPI(204)
    _ = try await client(api, base: base).send(.get(path), as: EmptyResponse.self)
    #expect(api.requests.map(\.url) == [url])
  }

  @Test("every part of a request is sent: method, query, fields, JSON or form")
  func made() async throws {
    let api = FakeAPI(204)
    let client = try client(api) { $0.fields = [.userAgent: "app/1", .acceptLanguage: "de"] }
    var search = APIRequest.get("items", query: [("q", "a b"), ("n", "1")])
    search.fields[.acceptLanguage] = "en"
    for request in [
      search, try .post("items", json: ["a": 1]), .post("login", form: [("user", "ä")]), .delete("items/7"),
      try APIRequest(.put, "items/7", json: [1]), .post("ping"),
    ] {
      _ = try await client.send(request, as: EmptyResponse.self)
    }
    let sent = api.requests
    #expect(sent.map(\.method) == [.get, .post, .post, .delete, .put, .post])
    #expect(sent[0].url == "https://api.example/v1/items?q=a+b&n=1")
    #expect(sent[0].fields[.acceptLanguage] == "en" && sent[1].fields[.acceptLanguage] == "de")
    #expect(sent.allSatisfy { $0.fields[.userAgent] == "app/1" && $0.fields[.accept] == "application/json" })
    #expect(sent.map(\.body) == ["", #"{"a":1}"#, "user=%C3%A4", "", "[1]", ""])
    #expect(
      sent.map { $0.fields[.contentType] } == [
        nil, "application/json", "application/x-www-form-urlencoded", nil, "application/json", nil,
      ])
  }

  @Test("an empty response takes any success", arguments: [(204, ""), (200, ""), (202, "queued"), (200, "{}")])
  func empty(status: Int, body: String) async throws {
    let response = try await client(FakeAPI(status, body)).send(.post("x"), as: EmptyResponse.self)
    #expect(response.value == EmptyResponse())
    #expect(response.data == Data(body.utf8))
    #expect(response.response.status.code == status)
  }

  @Test("an empty body where a value is expected is an error of its own", arguments: [200, 204])
  func noData(status: Int) async throws {
    let client = try client(FakeAPI(status))
    await #expect(throws: APIError.noData(status: status)) { try await client.send(.get("x"), as: Item.self) }
  }

  @Test(
    "a decoding error reports its place and never quotes the value",
    arguments: [
      (#"{"id":7}"#, "name is missing"), (#"{"id":"secret","name":"n"}"#, "id is no Int"),
      (#"{"id":null,"name":"n"}"#, "id is null"), ("<html>secret", "the body can't be read"),
      (#"["secret"]"#, "the body is no Dictionary<String, Any>"),
    ])
  func undecodable(body: String, reason: String) async throws {
    let client = try client(FakeAPI(200, body))
    await #expect(throws: APIError.undecodable(reason: reason, status: 200)) {
      try await client.send(.get("x"), as: Item.self)
    }
  }

  @Test("an error in a list reports its index")
  func index() async throws {
    let client = try client(FakeAPI(200, #"[{"id":1,"name":"a"},{"id":2}]"#))
    await #expect(throws: APIError.undecodable(reason: "[1].name is missing", status: 200)) {
      try await client.send(.get("x"), as: [Item].self)
    }
  }

  @Test("a response of 300 or more is the server's error, with its status and words", arguments: [304, 400, 404, 500])
  func server(status: Int) async throws {
    let client = try client(FakeAPI(status, #"{"code":"gone","message":"It is gone."}"#))
    let error = await #expect(throws: APIError.self) { try await client.send(.get("x"), as: EmptyResponse.self) }
    guard case .server(let failure) = error else { throw Unexpected(error) }
    #expect(failure.status == status && failure.code == "gone" && failure.message == "It is gone.")
  }

  @Test(
    "a request that was not sent and one without a response are distinguished",
    arguments: [
      (.unreachable(detail: "d"), .transport(.unreachable(detail: "d")), false),
      (.unresolved(host: "h", detail: "d"), .transport(.unresolved(host: "h", detail: "d")), false),
      (.tls(detail: "d"), .transport(.tls(detail: "d")), false),
      (.timedOut(detail: "d"), .noResponse(.timedOut(detail: "d")), true),
      (.broken(detail: "d"), .noResponse(.broken(detail: "d")), true),
      (.responseTooLarge(limit: 1), .transport(.responseTooLarge(limit: 1)), true),
    ] as [(TransportError, APIError, Bool)])
  func noResponse(thrown: TransportError, expected: APIError, mayHaveTakenEffect: Bool) async throws {
    let client = try client(FakeAPI { _ in throw thrown })
    await #expect(throws: expected) { try await client.send(.get("x"), as: Item.self) }
    #expect(expected.mayHaveTakenEffect == mayHaveTakenEffect)
  }

  @Test("an unusable URL is an error before anything is sent")
  func unusable() async throws {
    let api = FakeAPI(204)
    await #expect(throws: APIError.unusableRequest(reason: "its URL is unusable: it contains a backslash")) {
      try await client(api).send(.get("a\\b"), as: EmptyResponse.self)
    }
    #expect(api.requests.isEmpty)
  }

  @Test("a body above the limit is not taken")
  func limit() async throws {
    let client = try client(FakeAPI(200, "[1, 2]")) { $0.longestBody = 5 }
    await #expect(throws: APIError.transport(.responseTooLarge(limit: 5))) {
      try await client.send(.get("x"), as: [Int].self)
    }
  }

  @Test("the plain response is returned whatever its status")
  func response() async throws {
    let response = try await client(FakeAPI(503, "down")).response(to: .get("x"))
    #expect(response.status == 503 && String(decoding: response.body, as: UTF8.self) == "down")
  }

  @Test("a decoder of the program's own is used")
  func decoder() async throws {
    struct Fixed: ResponseDecoder {
      func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        guard let value = data.count as? Value else { throw Unexpected(type) }
        return value
      }
    }
    let client = try client(FakeAPI(200, "12345")) { $0.decoder = Fixed() }
    #expect(try await client.send(.get("x"), as: Int.self).value == 5)
    await #expect(throws: APIError.undecodable(reason: "Unexpected", status: 200)) {
      try await client.send(.get("x"), as: String.self)
    }
  }
}
