import type { EventEngine } from '../port.ts'

/** What the service asks of the process that holds the database. */
export interface Call {
  id: number
  method: keyof EventEngine
  args: unknown[]
}

export type Answer =
  | { id: number; value: unknown }
  | { id: number; error: string }
  | { setAside: { file: string; reason: string } }
  /** The database cannot be opened; the process ends. */
  | { closed: string }
