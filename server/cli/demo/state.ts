import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ProjectId } from '../../base/ids.ts'
import type { DemoSize } from './command.ts'

/** How far a demo is, in the data folder: one that was broken off goes on from there. */
export interface DemoState extends DemoSize {
  project_id: ProjectId
  /** Of the project; for its owner's eyes only, as the whole data folder is. */
  api_key: string
  /** Ids by slug, of what was uploaded and posted. */
  videos: Record<string, string>
  images: Record<string, string>
  feeds: Record<string, string>
  /** By feed and slug. */
  posts: Record<string, string>
  /** When the last event was, and how many viewers' events were sent. */
  until?: number
  sent: number
  isDone: boolean
}

export interface KeptState {
  /** A folder for what is made on the way. */
  folder: string
  read(): DemoState | undefined
  write(state: DemoState): void
  remove(): void
}

export function keptState(dataDir: string): KeptState {
  const folder = path.join(dataDir, 'demo')
  const file = path.join(folder, 'demo.json')
  return {
    folder,
    read: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined),
    write(state) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
