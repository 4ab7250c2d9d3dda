import type { UploadProgress } from '@marquee/client'
import { useSyncExternalStore } from 'react'

export interface UploadEntry {
  id: number
  projectId: string
  name: string
  size: number
  /** `checking`: everything is sent, and the service looks into it. `away`: it failed for the moment, and is tried again. */
  state: 'waiting' | 'sending' | 'checking' | 'away' | 'done' | 'failed'
  progress?: UploadProgress
  error?: unknown
  media?: { kind: 'video' | 'image'; id: string }
}

/** What is uploaded, for as long as the console is open: pages come and go meanwhile. */
let entries: readonly UploadEntry[] = []
const listeners = new Set<() => void>()

export const uploadEntries = (): readonly UploadEntry[] => entries

export function useUploads(): readonly UploadEntry[] {
  return useSyncExternalStore(onUploads, uploadEntries)
}

/** Told of each change of any upload. */
export function onUploads(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function changeUploads(change: (entries: readonly UploadEntry[]) => readonly UploadEntry[]): void {
  entries = change(entries)
  for (const listener of listeners) listener()
}

export const isUnderWay = ({ state }: UploadEntry): boolean => state !== 'done' && state !== 'failed'
