import { useMemo } from 'react'
import { type Range, readRange } from '../../range.ts'
import { useAddress } from '../../use-address.ts'

const RANGES = ['24h', '7d', '28d', '90d', 'custom'] as const

/** What the address says is looked at. */
export interface Looked extends Range {
  isCompared: boolean
  video: string
  feed: string
  country: string
}

/** Addresses are typed and shared by people: what makes no sense in one is as if it was not there. */
function readLooked(search: Record<string, unknown>): Looked {
  const text = (name: string) => (typeof search[name] === 'string' ? search[name] : '')
  return {
    ...readRange(search, RANGES),
    isCompared: search.compare !== 'off',
    video: text('video'),
    feed: text('feed'),
    country: text('country'),
  }
}

export function useLooked() {
  const { search, change } = useAddress()
  const text = JSON.stringify(search)
  const looked = useMemo(() => readLooked(JSON.parse(text)), [text])
  return { looked, ranges: RANGES, search, change }
}
