/** What an installation holds at one moment, wherever that comes from: the installation itself, or a backup of it. */
export interface BackupContent {
  id: string
  /** What was acknowledged before it is in here. */
  moment: Date
  schema: number
  tables(): AsyncIterable<TableContent>
  sequences(): Promise<{ name: string; value: string }[]>
  /** In the order of keys, but for bytes of uploads under way, which come first. */
  objects(): AsyncIterable<ObjectContent>
  /** Lines as in a spool, in parts that are always cut at the same places. */
  events(): AsyncIterable<EventPart>
  /** Of the data folder. */
  files(): Promise<{ name: string; content: Buffer }[]>
}

export interface TableContent {
  name: string
  rows(): AsyncIterable<string>
}

export interface ObjectContent {
  key: string
  size: number
  modified: number
  /** Where it is known beforehand. */
  sha256?: string
  /** Whether a record says that it is there. */
  isRequired: boolean
  /** Whether it may be another one though its length and time are the same. */
  isArriving: boolean
  /** Undefined where it is not there any more. */
  open(): Promise<AsyncIterable<Buffer> | undefined>
}

export interface EventPart {
  lines: Buffer
  count: number
}

/** Told now and then how far it is. */
export type BackupProgress = (step: string, done: number, bytes?: number) => void
