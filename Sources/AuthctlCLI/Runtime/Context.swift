/// All that a command may touch.
struct Context: Sendable {}
