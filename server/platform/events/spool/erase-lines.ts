import { type FileHandle, open } from 'node:fs/promises'
import { type EventLine, sealLine } from '../line.ts'
import type { ErasedEvents } from '../port.ts'
import { parseLine } from './check-line.ts'
import { type PieceLine, readPiece } from './read-piece.ts'

/** So much is in memory at a time. */
const LIMITS = { bytes: 8 * 2 ** 20, events: Number.POSITIVE_INFINITY }
const SPACE = 0x20

/**
 * Takes events out of a segment where they are, up to a place in it. A line keeps its length, so that positions in
 * the segment stay what they are, and can be loaded as before.
 */
export async function eraseLines(path: string, to: number, erased: readonly ErasedEvents[]): Promise<void> {
  let file: FileHandle | undefined
  try {
    for (let from = 0; from < to; ) {
      const piece = await readPiece({ path, from, to, spool: '', segment: 0, aside: '' }, LIMITS)
      for (const line of [...piece.lines, ...piece.rejected]) {
        const rest = withoutErased(line, 'reason' in line, erased)
        if (!rest) continue
        file ??= await open(path, 'r+')
        await file.write(rest, 0, rest.length, line.from)
      }
      from = piece.end
    }
    await file?.datasync()
  } finally {
    await file?.close()
  }
}

/** Whether something of a line may have to go, without parsing it: nearly none has. */
export function mayHold(line: Buffer, { project, viewer }: ErasedEvents): boolean {
  return line.includes(`"project":"${project}"`) && (viewer === undefined || line.includes(nameOf(viewer)))
}

const nameOf = (viewer: string) => `"viewer":${JSON.stringify(viewer)}`

/** What is left of a line, as long as it was; undefined where that is all of it. */
function withoutErased(
  { bytes }: PieceLine,
  isDamaged: boolean,
  erased: readonly ErasedEvents[],
): Buffer | undefined {
  const meant = erased.filter((one) => mayHold(bytes, one))
  if (meant.length === 0) return undefined
  const line = isDamaged ? undefined : parseLine(bytes)
  // Torn by a crash while it was erased, or damaged: whose it is can be seen, and nobody can load it.
  if (!line || 'reason' in line) return sealed(emptyLine(meant[0]!), bytes.length)
  let rest: EventLine = line
  for (const { organization, project, viewer, before = Number.POSITIVE_INFINITY } of meant)
    if (line.organization === organization && line.project === project && line.arrival < before)
      rest = without(rest, viewer)
  return rest === line ? undefined : sealed(rest, bytes.length)
}

const emptyLine = ({ organization, project }: ErasedEvents): EventLine => {
  return { organization, project, received: 0, arrival: 0, envelope: {}, events: [] }
}

function without(line: EventLine, viewer: string | undefined): EventLine {
  if (viewer === undefined || line.viewer === viewer) {
    const { viewer: _, ...rest } = line
    return { ...rest, envelope: {}, events: [] }
  }
  if (line.viewer !== undefined) return line
  const events = line.events.filter((event) => event.viewer !== viewer)
  return events.length === line.events.length ? line : { ...line, events }
}

/** A line of exactly this length: white space between its parts says nothing. */
function sealed(line: EventLine, length: number): Buffer {
  const { organization, project, received, arrival, request, viewer, envelope, events } = line
  const parts = { organization, project, received, arrival, request, viewer, envelope, events }
  const open = JSON.stringify(parts).slice(0, -1)
  const bare = Buffer.byteLength(sealLine(open, events.length)) - digitsOf(open, events.length)
  // How many digits the checksum has depends on what is filled in: most often ten, with something else each time.
  for (let attempt = 0; attempt < 64; attempt++) {
    const changing = attempt.toString(2).padStart(6, '0').replaceAll('0', ' ').replaceAll('1', '\t')
    const room = length - bare - 10 - changing.length
    const filled = open + changing + ' '.repeat(Math.max(0, room))
    if (room >= 0 && digitsOf(filled, events.length) === 10)
      return Buffer.from(sealLine(filled, events.length))
  }
  return Buffer.alloc(length, SPACE)
}

const digitsOf = (open: string, events: number) => /"sum":(\d+)}$/.exec(sealLine(open, events))![1]!.length
