import { formatAgo, formatTime } from '../format.ts'

/** A time as people say it, the exact one on hover. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  )
}
