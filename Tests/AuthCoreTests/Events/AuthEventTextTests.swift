import Testing

@testable import AuthCore

@Suite("AuthEvent as text") struct AuthEventTextTests {
  @Test("tells this process, a background refresh and another process apart, with the time")
  func processes() {
    func text(_ process: RefreshingProcess?, _ age: Double?) -> String {
      "\(AuthEvent.adopted(access: "3de05ddf", by: process, age: age))"
    }
    #expect(
      text(RefreshingProcess(pid: 7), 3.2) == "token 3de05ddf was refreshed by process 7 3s ago, using it")
    #expect(
      text(RefreshingProcess(pid: 7, isInBackground: true), -1)
        == "token 3de05ddf was refreshed by process 7 (background refresh) 0s ago, using it")
    #expect(text(nil, nil) == "token 3de05ddf was stored by another process, using it")
  }

  @Test("states why a token is used")
  func usable() {
    #expect("\(AuthEvent.usable(access: "3de05ddf", because: "why"))" == "using token 3de05ddf: why")
  }
}
