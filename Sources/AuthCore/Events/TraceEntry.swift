package import FoundationEssentials

/// One step of a trace: an HTTP request with its response, an ``AuthEvent``, or a note.
///
/// Its texts contain no secret, unless the recorder keeps them: tokens appear as fingerprints of eight hexadecimal
/// digits, other secrets as `‹redacted›`.
package struct TraceEntry: Sendable, Equatable, Codable {
  /// What happened.
  package enum Step: Sendable, Equatable, Codable {
    /// A request was sent, and a response was received or not.
    case exchange(TraceExchange)
    /// An event of the session.
    case event(AuthEvent)
    /// The browser opened the authorization page, or returned from it.
    case visit(TraceVisit)
    /// A step of the program that is not an event, such as "opened the browser".
    case note(String)
  }

  /// The position of the entry in the order in which the steps began, from 1.
  package var number: Int
  /// The time of the step's beginning, by the local clock.
  package var time: Date
  /// The seconds from the start of the recording until the step's beginning.
  package var offset: Double
  /// The identifier of the process: that of this program, or of its background refresh.
  package var process: Int32
  /// Whether the background refresh did it.
  package var isInBackground: Bool
  /// What happened.
  package var step: Step

  /// Creates an entry.
  package init(number: Int, time: Date, offset: Double, process: Int32, isInBackground: Bool, step: Step) {
    self.number = number
    self.time = time
    self.offset = offset
    self.process = process
    self.isInBackground = isInBackground
    self.step = step
  }
}

/// An HTTP request and its response in a trace.
package struct TraceExchange: Sendable, Equatable, Codable {
  /// The server that received the request.
  package enum Role: String, Sendable, Codable {
    /// The authorization server.
    case server
    /// The API.
    case api
  }

  /// A header field, with the name as it was sent.
  package struct Field: Sendable, Equatable, Codable {
    /// The name.
    package var name: String
    /// The value.
    package var value: String

    /// Creates a header field.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A body, or the first 64 KiB of it.
  package struct Body: Sendable, Equatable, Codable {
    /// The text; nil if the body is not text or was not recorded.
    package var text: String?
    /// The `Content-Type`; empty if there is none.
    package var mediaType: String
    /// The size of the whole body in bytes; nil if unknown.
    package var size: Int64?
    /// Whether `text` is only the beginning of the body.
    package var isCut: Bool

    /// Creates a body.
    package init(text: String?, mediaType: String, size: Int64?, isCut: Bool = false) {
      self.text = text
      self.mediaType = mediaType
      self.size = size
      self.isCut = isCut
    }
  }

  /// The duration of each phase in milliseconds; nil if the phase did not take place or is unknown.
  package struct Timings: Sendable, Equatable, Codable {
    /// The host name was resolved.
    package var dns: Double?
    /// The TCP connection was established.
    package var connect: Double?
    /// The TLS handshake was performed.
    package var tls: Double?
    /// The request was sent, and the server processed it.
    package var wait: Double?
    /// The response was received.
    package var receive: Double?
    /// All phases together.
    package var total: Double

    /// Creates timings of which only the total is known.
    package init(total: Double) { self.total = total }
  }

  /// The server that received the request.
  package var role: Role
  /// The method.
  package var method: String
  /// The URL.
  package var url: String
  /// `1`, `1.1`, `2` or `3`; `0` if there was no response.
  package var httpVersion = "0"
  /// The header fields of the request, in the order in which they were sent.
  package var requestFields: [Field] = []
  /// The body of the request; nil if it has none.
  package var requestBody: Body?
  /// The status of the response; 0 if there was no response.
  package var status = 0
  /// The reason phrase that the server sent; empty if it sent none.
  package var reason = ""
  /// The header fields of the response.
  package var responseFields: [Field] = []
  /// The body of the response; nil if there was no response.
  package var responseBody: Body?
  /// The duration of each phase.
  package var timings = Timings(total: 0)
  /// The IP address and port of the other end of the connection; nil if there was no connection.
  package var remote: String?
  /// Why there was no response; nil if there was one.
  package var failure: String?

  /// Creates an exchange without a response.
  package init(role: Role, method: String, url: String) {
    self.role = role
    self.method = method
    self.url = url
  }
}
