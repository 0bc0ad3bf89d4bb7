/// A scale of time on which long pauses, as those for a user in a browser, take little room.
struct TraceAxis: Sendable {
  /// A part of the time, and the part of the scale that it takes.
  private struct Piece {
    let time: ClosedRange<Double>
    let isPause: Bool
    var begin = 0.0
    var width: Double
  }

  /// The part of the scale for one pause, and for all of them.
  private static let (onePause, allPauses) = (0.08, 0.4)
  /// The seconds up to which a pause is drawn as it is.
  private static let short = 0.1
  /// The shortest time of a scale in seconds.
  private static let least = 0.001

  private var pieces: [Piece] = []

  /// Creates the scale.
  ///
  /// - Parameter busy: the times in which something happens, in the order of their beginnings.
  init(_ busy: [ClosedRange<Double>]) {
    var merged: [ClosedRange<Double>] = []
    let total = busy.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    let longest = max(TraceAxis.short, 2 * total)
    for time in busy {
      if let last = merged.last, time.lowerBound - last.upperBound <= longest {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, time.upperBound)
      } else {
        merged.append(time)
      }
    }
    if merged.count == 1 { merged[0] = merged[0].lowerBound...max(merged[0].upperBound, merged[0].lowerBound + 0.001) }
    let seen = max(TraceAxis.least, merged.reduce(0) { $0 + $1.upperBound - $1.lowerBound })
    let pause = seen * min(TraceAxis.onePause, TraceAxis.allPauses / Double(max(1, merged.count - 1)))
    for time in merged {
      if let last = pieces.last {
        pieces.append(Piece(time: last.time.upperBound...time.lowerBound, isPause: true, width: pause))
      }
      pieces.append(Piece(time: time, isPause: false, width: time.upperBound - time.lowerBound))
    }
    let all = max(TraceAxis.least, pieces.reduce(0) { $0 + $1.width })
    var begin = 0.0
    for index in pieces.indices {
      pieces[index].begin = begin
      pieces[index].width /= all
      begin += pieces[index].width
    }
  }

  /// The pauses that are cut short.
  var pauses: [ClosedRange<Double>] { pieces.filter(\.isPause).map(\.time) }

  /// Returns the place of a time on the scale, from 0 to 1.
  func place(_ time: Double) -> Double {
    guard let piece = pieces.last(where: { $0.time.lowerBound <= time }) else { return 0 }
    let length = piece.time.upperBound - piece.time.lowerBound
    guard length > 0 else { return piece.begin }
    return piece.begin + piece.width * min(1, (time - piece.time.lowerBound) / length)
  }

  /// The times with a mark: every 1, 2 or 5 units, at most six on a scale without pauses; after a pause the first time.
  var marks: [Double] {
    let parts = pieces.filter { !$0.isPause }
    let span = parts.reduce(0) { $0 + $1.time.upperBound - $1.time.lowerBound }
    var step = TraceAxis.least
    var factors = [2, 2.5, 2][...]
    while span / step > 5 {
      step *= factors.removeFirst()
      if factors.isEmpty { factors = [2, 2.5, 2] }
    }
    var marks: [Double] = []
    for (index, part) in parts.enumerated() {
      let first = part.time.lowerBound / step
      guard first < 1e15 else { break }
      let multiples = Int(first.rounded(.up))...Int(first.rounded(.up)) + 6
      let times = (index == 0 ? [] : [part.time.lowerBound]) + multiples.map { Double($0) * step }
      for time in times where time <= part.time.upperBound && place(time) <= 0.95 {
        guard let last = marks.last, place(time) - place(last) < 0.12 else {
          marks.append(time)
          continue
        }
      }
    }
    return marks
  }
}
