/** Where work that nobody waits for says what went wrong. */
export interface Report {
  error(error: unknown, message: string, about?: object): void
  warn(error: unknown, message: string): void
  /** For the operator, in plain words and not in the log: it may be before there is one. */
  trouble(message: string): void
}

interface Logger {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Through a logger that exists by the time something goes wrong. */
export function reportTo(logger: () => Logger): Report {
  return {
    error: (err, message, about) => logger().error({ err, ...about }, message),
    warn: (err, message) => logger().warn({ err }, message),
    trouble: (message) => process.stderr.write(`marquee: ${message}\n`),
  }
}
