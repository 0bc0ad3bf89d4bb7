import Testing

@testable import AuthctlCLI

@Suite("BatchWindow") struct BatchWindowTests {
  /// Takes out and writes whatever is due.
  private func written(_ window: inout BatchWindow) -> [[UInt8]] {
    var all: [[UInt8]] = []
    while let response = window.next() {
      all.append(response)
      window.wrote(response)
    }
    return all
  }

  @Test("responses are due in the order of their lines, or as they arrive", arguments: [true, false])
  func order(isOrdered: Bool) {
    var window = BatchWindow(parallel: 3, isOrdered: isOrdered)
    let places = [window.begin(), window.begin(), window.begin()]
    window.end(places[2], [2])
    #expect(written(&window) == (isOrdered ? [] : [[2]]))
    window.end(places[0], [0])
    #expect(written(&window) == [[0]])
    window.end(places[1], [1])
    #expect(written(&window) == (isOrdered ? [[1], [2]] : [[1]]))
    #expect(window.isEmpty)
  }

  @Test("no more lines are under way than may be")
  func parallel() {
    var window = BatchWindow(parallel: 2, isOrdered: true)
    _ = window.begin()
    #expect(window.hasRoom)
    let second = window.begin()
    #expect(!window.hasRoom && !window.isEmpty)
    window.end(second, [1])
    #expect(window.hasRoom)
  }

  @Test("while the first line is slow, a bounded number of others is begun", arguments: [true, false])
  func slow(isOrdered: Bool) {
    var window = BatchWindow(parallel: 2, isOrdered: isOrdered)
    let slow = window.begin()
    var count = 0
    while window.hasRoom, count < 1000 {
      window.end(window.begin(), [])
      _ = written(&window)
      count += 1
    }
    #expect(count == (isOrdered ? 2 * BatchWindow.ahead - 1 : 1000))
    window.end(slow, [])
    _ = written(&window)
    #expect(window.hasRoom && window.isEmpty)
  }

  @Test("while many bytes wait for the first line, or for their reader, nothing is begun", arguments: [true, false])
  func bytes(isOrdered: Bool) {
    var window = BatchWindow(parallel: 4, isOrdered: isOrdered, heldLimit: 10)
    let slow = window.begin()
    window.end(window.begin(), [UInt8](repeating: 1, count: 6))
    #expect(window.hasRoom)
    window.end(window.begin(), [UInt8](repeating: 2, count: 4))
    #expect(!window.hasRoom)
    window.end(slow, [])
    #expect(!window.hasRoom)
    #expect(written(&window).map(\.count).sorted() == [0, 4, 6])
    #expect(window.hasRoom)
  }
}
