import Foundation
import TestSupport
import Testing

extension ProgramRun {
  /// Kills the program and the process that refreshes for it, as a power loss does.
  func killWithRefresh() throws {
    // Whichever of its threads has started it.
    let children = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").flatMap { thread in
      try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/children", encoding: .utf8)
        .split(separator: " ").compactMap { pid_t($0) }
    }
    #expect(children.count == 1)
    // The program first: it would see the end of the other, while that one only continues.
    send(SIGKILL)
    for child in children { kill(child, SIGKILL) }
    try wait()
  }
}
