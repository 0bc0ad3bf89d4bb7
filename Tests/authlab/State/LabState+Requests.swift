import Foundation

/// The way of a request through the server.
extension LabState {
  /// Takes down a request and finds what is to happen to it.
  func admit(_ request: Request, endpoint: String, form: String?) -> (
    number: Int, fault: Fault?, era: Int, settings: Settings
  ) {
    let record = RequestRecord(request: request, endpoint: endpoint, form: form, receivedAt: now)
    count(endpoint)
    // The parts of an endpoint count for the whole as well: `token` is the sum of all grants.
    if let dot = endpoint.firstIndex(of: ".") { count(String(endpoint[..<dot])) }
    return (records.append(record), takeFault(for: endpoint), faultEra, settings)
  }

  /// Takes down how a request was answered.
  func finish(_ number: Int, _ request: Request, response: Response) {
    records.finish(number, status: response.status)
    count(response.outcome)
    note("\(request.method) \(request.path) \(response.status) \(response.outcome)")
  }

  /// Lets a fault wait for its request.
  func add(_ fault: Fault) {
    faults.append(fault)
  }

  /// Forgets the faults that wait, and ends the delays of requests.
  func clearFaults() {
    faults = []
    faultEra += 1
    for delay in delays.values { delay.cancel() }
  }

  /// Waits for so long, or until the faults are cleared after this era.
  /// - Throws: `CancellationError` when the request is not wanted any more.
  func hold(for duration: Duration, since era: Int) async throws {
    guard era == faultEra else { return }
    let (id, delay) = (UUID(), Task { _ = try? await Task.sleep(for: duration) })
    delays[id] = delay
    defer { delays[id] = nil }
    await withTaskCancellationHandler {
      await delay.value
    } onCancel: {
      delay.cancel()
    }
    try Task.checkCancellation()
  }

  private func takeFault(for endpoint: String) -> Fault? {
    guard let index = faults.firstIndex(where: { $0.matches(endpoint) }) else { return nil }
    let fault = faults[index]
    if let count = fault.count {
      if count > 1 { faults[index].count = count - 1 } else { faults.remove(at: index) }
    }
    count("fault.\(fault.kind.rawValue)")
    return fault
  }
}
