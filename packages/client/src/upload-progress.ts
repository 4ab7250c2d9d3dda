export interface UploadProgress {
  /** Bytes that were handed to the network, poster and all. */
  sent: number
  /** Unknown of a stream whose size was not told. */
  total: number | undefined
  /** Bytes per second over the last few seconds. */
  speed: number
  /** Unknown before anything was sent, or where the total is. */
  secondsLeft: number | undefined
}

const WINDOW_MS = 5000

/** Tells how an upload of several parts goes, each of which says how many of its own bytes were sent. */
export function measure(
  total: number | undefined,
  onProgress: (progress: UploadProgress) => void = () => {},
): (part: string) => (bytes: number) => void {
  const parts: Record<string, number> = {}
  let samples: { at: number; sent: number }[] = []
  return (part) => (bytes) => {
    // Sent from the beginning again: what was measured before says nothing about what is left.
    if (bytes < (parts[part] ?? 0)) samples = []
    parts[part] = bytes
    const sent = Object.values(parts).reduce((sum, one) => sum + one)
    const at = performance.now()
    samples = [...samples.filter((sample) => at - sample.at < WINDOW_MS), { at, sent }]
    const first = samples[0]!
    const speed = at > first.at ? ((sent - first.sent) * 1000) / (at - first.at) : 0
    onProgress({ sent, total, speed, secondsLeft: total && speed ? (total - sent) / speed : undefined })
  }
}
