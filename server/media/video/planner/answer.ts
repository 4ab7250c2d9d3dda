import { fstatSync } from 'node:fs'
import { FrameReader, frameHead } from '../../frames.ts'
import { type MediaDescription, readDescription } from '../description.ts'
import { UnsupportedVideo } from '../errors.ts'
import { type Listing, readListing } from '../listing.ts'
import { type Mp4Index, readMp4Index } from '../mp4-index.ts'
import { type Planned, planBothWays } from '../plan.ts'
import { type Said, SOURCE_FD, type Told } from './protocol.ts'

function say(what: Said, payload = Buffer.alloc(0)): void {
  process.stdout.write(frameHead(what, payload.length))
  process.stdout.write(payload)
}

async function plan(told: FrameReader): Promise<Planned> {
  const index = readMp4Index(SOURCE_FD)
  // At once: the program that lists the pictures can start before the file is described.
  if (!index) say({ wants: 'listing' })
  const { quality, window, about } = await readTask(told)
  const isUsual = index !== undefined && agrees(index, about)
  if (index && !isUsual) say({ wants: 'listing' })
  const listing = isUsual ? index : await readListing(toldLines(told), fstatSync(SOURCE_FD).size)
  requireWhole(listing, about)
  return planBothWays({ ...about, pictures: listing.pictures }, quality, window)
}

async function readTask(told: FrameReader) {
  const frame = await told.next()
  const header = frame?.header as Told
  if (!frame || !('task' in header)) throw new Error('there is no task')
  const chunks: Buffer[] = []
  for await (const chunk of told.payload(frame.payloadBytes)) chunks.push(chunk)
  const about = readDescription(JSON.parse(Buffer.concat(chunks).toString()))
  return { ...header.task, about }
}

/** The lines of the listing, as many at a time as have arrived. */
async function* toldLines(told: FrameReader): AsyncGenerator<string[]> {
  let rest = ''
  for (let frame = await told.next(); frame; frame = await told.next()) {
    const header = frame.header as Told
    if (!('listing' in header)) break
    if (header.listing === 'end') return
    for await (const chunk of told.payload(frame.payloadBytes)) {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop()!
      yield lines
    }
  }
  throw new Error('the listing is cut off')
}

/** Whether the program reads the same track by the same clock. */
function agrees({ listed, timescale }: Mp4Index, { video }: MediaDescription): boolean {
  const { timeBase, declaredPackets } = video
  return timeBase.num === 1 && timeBase.den === timescale && declaredPackets === listed
}

function requireWhole({ pictures, listed }: Listing, { video, container }: MediaDescription): void {
  if (pictures.length === 0) throw new UnsupportedVideo('it has no pictures')
  // Others count what is not there: AVI has slots for pictures that were left out.
  const declared = container.includes('mp4') ? video.declaredPackets : undefined
  if (declared !== undefined && listed < declared)
    throw new UnsupportedVideo('it ends before its last picture: the file is cut off')
}

/** Does the one task of this process: what a file claims is believed here only, where there is little to lose. */
export async function answer(): Promise<void> {
  const told = new FrameReader(process.stdin)
  try {
    say({ planned: true }, Buffer.from(JSON.stringify(await plan(told))))
  } catch (error) {
    if (!(error instanceof UnsupportedVideo)) throw error
    say({ refusal: error.message })
  }
}
