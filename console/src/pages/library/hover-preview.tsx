import { useEffect, useState } from 'react'
import { opened } from '../../session/use-opened.ts'
import styles from './media-card.module.css'

/** Somebody who passes over a card on the way to another wants no film. */
const REST_MS = 250
const SECONDS = 6

const isWanted = () => !matchMedia('(prefers-reduced-motion: reduce)').matches

/** The first seconds of a video, without sound, over and over: its smallest rendition, put together as one small file. */
export function HoverPreview({ url, token }: { url: string; token: string | undefined }) {
  const [film, setFilm] = useState<string>()
  useEffect(() => {
    if (!isWanted()) return
    const left = new AbortController()
    let made: string | undefined
    const timer = setTimeout(async () => {
      // Where it fails, the picture stays.
      const content = await beginningOf(opened(`${url}/master.m3u8`, token), left.signal).catch(
        () => undefined,
      )
      if (!content || left.signal.aborted) return
      made = URL.createObjectURL(content)
      setFilm(made)
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [url, token])
  return film ? <video className={styles.film} src={film} autoPlay muted loop playsInline /> : null
}

async function beginningOf(url: string, signal: AbortSignal): Promise<Blob> {
  const master = await playlist(url, signal)
  const rendition = await playlist(smallestOf(master), signal)
  const first = /#EXT-X-MAP:URI="([^"]+)"/.exec(rendition.text)![1]!
  const parts = [first]
  let seconds = 0
  for (const [, length, address] of rendition.text.matchAll(/#EXTINF:([\d.]+).*\n(?:#.*\n)*(.+)/g)) {
    if (seconds >= SECONDS) break
    seconds += Number(length)
    parts.push(address!)
  }
  const contents = await Promise.all(
    parts.map(async (part) => (await load(new URL(part, rendition.url).href, signal)).blob()),
  )
  return new Blob(contents, { type: 'video/mp4' })
}

interface Playlist {
  url: string
  text: string
}

function smallestOf({ url, text }: Playlist): string {
  const renditions = [...text.matchAll(/#EXT-X-STREAM-INF:(?:.*,)?BANDWIDTH=(\d+).*\n(.+)/g)]
  const [smallest] = renditions.sort(([, a], [, b]) => Number(a) - Number(b))
  return new URL(smallest![2]!, url).href
}

async function playlist(url: string, signal: AbortSignal): Promise<Playlist> {
  return { url, text: await (await load(url, signal)).text() }
}

async function load(url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(response.statusText)
  return response
}
