/// The executor of the current task, for a task that it starts and that is not its child.
///
/// Only child tasks have the executor of their parent; all others run on the pool, whose threads are started for them.
package enum InheritedExecutor {
  /// The executor; nil for the pool.
  package static var current: (any TaskExecutor)? {
    // It lives at least as long as the current task.
    unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor?.asTaskExecutor() }
  }
}
