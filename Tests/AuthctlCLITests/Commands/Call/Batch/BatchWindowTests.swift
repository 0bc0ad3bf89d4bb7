import Testing

@testable import AuthctlCLI

@Suite("BatchWindow") struct BatchWindowTests {
  /// Takes out and writes whatever is due, one response at a time.
  private func written(_ window: inout BatchWindow) -> [[UInt8]] {
    var all: [[UInt8]] = []
    while window.isDue {
      let (count, bytes) = window.next(size: 1)
      all.append(bytes)
      window.wrote(count, size: bytes.count)
    }
    return all
  }

  @Test("responses that are due are written together, up to a size")
  func together() {
    var window = BatchWindow(parallel: 8, isOrdered: true)
    for number in UInt8(0)..<6 { window.end(window.begin(), number == 1 ? [] : [number, number]) }
    _ = window.begin()
    var parts: [[UInt8]] = []
    while window.isDue {
      let (count, bytes) = window.next(size: 5)
      parts.append(bytes)
      window.wrote(count, size: bytes.count)
    }
    #expect(parts == [[0, 0, 2, 2, 3, 3], [4, 4, 5, 5]])
    #expect(window.hasRoom && !window.isEmpty)
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

  @Test("as many lines again as may be sent at a time are ready")
  func parallel() {
    var window = BatchWindow(parallel: 2, isOrdered: true)
    for _ in 0..<3 { _ = window.begin() }
    #expect(window.hasRoom)
    let last = window.begin()
    #expect(!window.hasRoom && !window.isEmpty)
    window.end(last, [1])
    #expect(window.hasRoom)
  }

  @Test("with one at a time, a line begins after the one before has ended")
  func single() {
    var window = BatchWindow(parallel: 1, isOrdered: false)
    let first = window.begin()
    #expect(!window.hasRoom)
    window.end(first, [1])
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
    #expect(written(&window).map(\.count).filter { $0 > 0 }.sorted() == [4, 6])
    #expect(window.hasRoom)
  }
}
