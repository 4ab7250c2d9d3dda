import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** From the top of the house down: nobody imports from a room above. What each is about is in ARCHITECTURE.md. */
const ROOMS = [
  ['backup', 'all of it at one moment, and back'],
  ['library', 'all media in one list, its uses'],
  ['syndication', 'embedded pages, oEmbed, RSS'],
  ['feeds', 'posts, drafts, pages'],
  ['delivery', 'files, sizes, HLS, thumbnails'],
  ['videos', 'records, posters, tracks, progress'],
  ['transcoding', 'plans, segments, the fill job'],
  ['images', 'AVIF at once, smaller later'],
  ['uploads', 'signed addresses, sweeping'],
  ['analytics', 'events in, reports out'],
  ['billing', 'webhooks, subscriptions, plans'],
  ['webhooks', 'apps told what happens'],
  ['sdk', 'scripts and types for apps'],
  ['console', 'the built web app for people'],
  ['access', 'keys, policies; for all rooms above'],
  ['media', 'ffmpeg and image libraries, sandboxed'],
  ['platform', 'ports, engines; for all slices'],
] as const
/** What everybody uses, or who uses everything: arrows of theirs would say nothing. */
const UNDRAWN = ['base', 'cli', 'config', 'http', 'start']
/** What all slices import from. */
const USED_BY_ALL = ['access', 'platform']

const ROW = 40
const BOX = { left: 24, width: 400, height: 30 }
const TOP = 24

/** The rooms of the server and who imports whom, from the imports themselves. */
export function roomsPicture(root: string): string {
  const edges = importsBetweenRooms(root)
  const names = ROOMS.map(([name]) => name as string)
  const unknown = [...edges.keys()].filter((name) => !names.includes(name) && !UNDRAWN.includes(name))
  if (unknown.length > 0) throw new Error(`the picture of the rooms has no place for ${unknown.join(', ')}`)
  const height = TOP * 2 + ROOMS.length * ROW
  const arcs = names.flatMap((from, row) =>
    [...(edges.get(from) ?? [])]
      .sort()
      .filter((to) => names.includes(to) && !USED_BY_ALL.includes(to))
      .map((to) => arc(row, names.indexOf(to), from, to)),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 ${height}" font-family="system-ui, sans-serif" role="img" aria-label="The rooms of the server from top to bottom, with an arrow from each to those that it imports from">
  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#6366f1"/></marker></defs>
  <rect width="620" height="${height}" rx="8" fill="#fafafa"/>
${ROOMS.map(([name, about], row) => box(row, name, about)).join('\n')}
  <g fill="none" stroke="#6366f1" stroke-opacity="0.75" stroke-width="1.5" marker-end="url(#tip)">
${arcs.join('\n')}
  </g>
</svg>
`
}

function box(row: number, name: string, about: string): string {
  const y = TOP + row * ROW
  const isEngine = name === 'media' || name === 'platform'
  const colours = isEngine ? 'fill="#fff" stroke="#d4d4d4"' : 'fill="#eef2ff" stroke="#a5b4fc"'
  return `  <rect x="${BOX.left}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6" ${colours}/>
  <text x="${BOX.left + 14}" y="${y + 20}" font-size="14" font-weight="600" fill="#1f1f1f">${name}</text>
  <text x="${BOX.left + 126}" y="${y + 20}" font-size="13" fill="#555">${about}</text>`
}

/** Leaves a room in its upper half and comes in at the lower one, further out the longer its way is. */
function arc(from: number, to: number, ...names: [string, string]): string {
  const x = BOX.left + BOX.width
  const [start, end] = [TOP + from * ROW + 10, TOP + to * ROW + 20]
  const out = x + 24 + Math.abs(to - from) * 22
  return `    <path d="M${x} ${start}C${out} ${start} ${out} ${end} ${x + 2} ${end}"><title>${names.join(' imports from ')}</title></path>`
}

function importsBetweenRooms(root: string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const file of globSync('server/*/**/*.ts', { cwd: root }).sort()) {
    const room = file.split(path.sep)[1]!
    const seen = edges.get(room) ?? new Set<string>()
    edges.set(room, seen)
    for (const [, specifier] of readFileSync(path.join(root, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)) {
      const [, target] = path.normalize(path.join(path.dirname(file), specifier!)).split(path.sep)
      if (target !== room) seen.add(target!)
    }
  }
  return edges
}
