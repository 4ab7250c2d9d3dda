import type { EventEngine } from '../port.ts'

/** What the service asks of the process that holds the database. */
export interface Call {
  id: number
  method: keyof EventEngine
  args: unknown[]
}

/** What was asked for is no longer wanted; it is answered all the same, with an error. */
export interface Cancel {
  cancel: number
}

export type EngineAnswer =
  | { id: number; value: unknown }
  | { id: number; error: string }
  | { setAside: { file: string; reason: string } }
  /** The database cannot be opened; the process ends. */
  | { closed: string }
