import { afterAll, beforeAll, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { openTarget, type Target } from '../support/hostile-uploads.ts'
import { made } from '../support/video.ts'
import * as hostile from '../support/videos/hostile.ts'
import { makeClaimedSize, makeManyStreams } from '../support/videos/hostile-mp4.ts'
import { makeManyPictures } from '../support/videos/many-pictures.ts'

let target: Target
beforeAll(async () => {
  target = await openTarget()
})
afterAll(() => target.close())

const saved = (content: string | Buffer) => (folder: string) => hostile.save(folder, 'file.mp4', content)
type Refused = [what: string, make: (folder: string) => Promise<string>, words: RegExp]

const UNREADABLE = /^it is not a readable MP4, MOV, AVI, WebM or MKV file$/

const IMPOSSIBLE = /^it has more pictures than a file of its size can hold$/

test.each<Refused>([
  ['nothing', saved(''), UNREADABLE],
  ['one byte', saved('x'), UNREADABLE],
  ['text', hostile.makeText, UNREADABLE],
  ['an archive', hostile.makeZip, UNREADABLE],
  ['a drawing', (folder) => hostile.makeSvg(folder, '/etc/passwd'), UNREADABLE],
  ['subtitles', hostile.makeAss, UNREADABLE],
  ['a transport stream', hostile.makeTransportStream, UNREADABLE],
  ['pictures without a container', hostile.makeRawH264, UNREADABLE],
  ['an image', async (folder) => saved(await scene().jpeg().toBuffer())(folder), UNREADABLE],
  [
    'sound alone',
    async (folder) => saved(await made(['-f', 'lavfi', '-i', 'sine=d=1'], 'm4a'))(folder),
    /^it has no video stream$/,
  ],
  [
    'a recording that was never closed',
    hostile.makeWithoutIndex,
    /^its index is missing: the file is cut off$/,
  ],
  ['half a file', hostile.makeHalf, /^it ends before its last picture: the file is cut off$/],
  ['2,000 streams', makeManyStreams, /^it has more than 64 streams$/],
  [
    'a million frames a second',
    hostile.makeMillionFramesPerSecond,
    /^it shows \d+ pictures a second; at most 300 are taken$/,
  ],
  [
    'frames said to be of 20,000 × 20,000',
    makeClaimedSize,
    /^its pictures have no size, or one that is too large$/,
  ],
  ['a real frame of 16,000 × 16,000', hostile.makeHugeFrame, /^its pictures of 16000 × 16000 are too large$/],
  ['20,000 pictures of a byte', (folder) => makeManyPictures(folder, { count: 20_000 }), IMPOSSIBLE],
  [
    '20,000 pictures that are none',
    (folder) => makeManyPictures(folder, { count: 20_000, bytesOfOne: 8 }),
    /^none of its pictures can be decoded$/,
  ],
])('%s: refused', { timeout: 900_000 }, async (_, make, words) => {
  await target.expectRefused(await make(target.folder), words)
})
