import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkHls, type Expectation } from '../support/hls/check.ts'
import { makeSource } from '../support/videos/sources.ts'
import { delayed, encodeAudio, encodeVideo, put, type Site, serve } from './site.ts'
import { makeSite } from './whole-site.ts'

let folder: string
let source: string
let sound: Site

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'hls-site-'))
  source = await makeSource('mp4-h264-aac')
  sound = await makeSite(source, folder)
})
afterAll(() => rm(folder, { recursive: true }))

/** What is told of the site after a change to it. */
async function problemsAfter(
  change: (site: Site) => unknown,
  expected: Partial<Expectation> = { ssimFloor: null },
): Promise<string[]> {
  const site = new Map(sound)
  await change(site)
  const server = await serve(site)
  const problems = await checkHls(server.url, { source, settled: true, subtitles: 1, ...expected })
  await server.close()
  return problems
}

function edit(site: Site, name: string, ...changes: [from: string | RegExp, to: string][]): void {
  const text = changes.reduce((text, [from, to]) => text.replace(from, to), site.get(name)!.toString())
  site.set(name, text)
}

const some = (...complaints: RegExp[]) =>
  expect.arrayContaining(complaints.map((complaint) => expect.stringMatching(complaint)))

test('nothing is wrong with a video as it should be', async () => {
  expect(await problemsAfter(() => {}, { audioTracks: 1 })).toEqual([])
})

test('false claims of the multivariant playlist', async () => {
  const problems = await problemsAfter((site) =>
    edit(
      site,
      'file',
      [
        /#EXT-X-STREAM-INF:BANDWIDTH=\d+,AVERAGE-BANDWIDTH=\d+/,
        '#EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=700000',
      ],
      ['avc1.64001F,', 'avc1.640028,'],
      ['FRAME-RATE=25.000', 'FRAME-RATE=30.000'],
      ['320x180', '384x216'],
    ),
  )
  expect(problems).toEqual(
    some(
      /^360p: BANDWIDTH is 900000, but the peak is \d+/,
      /^360p: AVERAGE-BANDWIDTH is 700000/,
      /^360p: CODECS="avc1.640028,mp4a.40.2", but they are avc1.64001f,mp4a.40.2/,
      /^360p: FRAME-RATE=30/,
      /^216p: RESOLUTION=384x216, but it is 320x180/,
    ),
  )
  expect(problems).toHaveLength(5)
})

test('false claims of the media playlists', async () => {
  const problems = await problemsAfter((site) => {
    edit(site, 'file/v360/index.m3u8', ['2.000000,\n1.m4s', '1.960000,\n1.m4s'])
    edit(site, 'file/v180/index.m3u8', ['#EXT-X-ENDLIST', ''], ['init.mp4"', 'init.mp4",BYTERANGE=1'])
    edit(site, 'file/audio/index.m3u8', ['DURATION:2', 'DURATION:1'], ['1.m4s', 'missing.m4s'])
    edit(site, 'file/text/index.m3u8', ['0.vtt', '1.vtt'], [/1.vtt(?=\n#EXT-X-ENDLIST)/, '0.vtt'])
  })
  expect(problems).toEqual(
    some(
      /^360p: segment 1 lasts 2.0000 s, but 1.9600 s by the playlist/,
      /^360p: segment 2 has a tfdt of 4.0000 s, but begins at 3.9600 s/,
      /^180p and 360p have different segment borders|^360p and 180p have different/,
      /^180p: #EXT-X-ENDLIST is missing/,
      /^180p: line \d: BYTERANGE=1 should be of the kind "quoted"/,
      /^audio sound English: a target duration of 1 for a segment of 2 s/,
      /^audio sound English: \/cdn\/project\/file\/audio\/missing.m4s answers 404/,
      /^subtitles text English: segment 0 has a line of another time: 00:00:04.500/,
    ),
  )
})

test('a segment that says it is elsewhere, one that is damaged, and one of another type', async () => {
  const problems = await problemsAfter((site) => {
    site.set('file/v360/1.m4s', delayed(site.get('file/v360/1.m4s') as Buffer, 512))
    const damaged = Buffer.from(site.get('file/v180/2.m4s') as Buffer)
    site.set('file/v180/2.m4s', damaged.fill(0x55, 30_000, 33_000))
    site.set('file/audio/2.vtt', site.get('file/audio/2.m4s')!)
    edit(site, 'file/audio/index.m3u8', ['2.m4s', '2.vtt'])
  })
  expect(problems).toEqual(
    some(
      /^360p: segment 1 has a tfdt of 2.0400 s/,
      /^360p: segment 1 shows its first picture at 2.0400 s/,
      /^360p: frame 50 is at 2.0400 s, and in the source at 2.0000/,
      /^180p: as a whole, does not decode/,
      /^180p: segment 2 alone does not decode/,
      /^audio sound English: \/cdn\/project\/file\/audio\/2.vtt is served as text\/vtt/,
    ),
  )
})

test('frames that are too few, too many, or of another shape', async () => {
  const problems = await problemsAfter(async (site) => {
    put(site, 'file/v360', await encodeVideo(source, 360, folder, "select='not(eq(n,60))'"))
    put(site, 'file/v180', await encodeVideo(source, 180, folder, 'loop=loop=1:size=1:start=60,setsar=4/3'))
  })
  expect(problems).toEqual(
    some(
      /^360p: 149 frames instead of 150/,
      /^360p: frame 60 is at 2.4400 s, and in the source at 2.4000/,
      /^180p: 151 frames instead of 150/,
      /^180p: pixels of 4:3/,
    ),
  )
})

test('a blurred picture, and one that is wrong for a moment', async () => {
  const problems = await problemsAfter(async (site) => {
    put(site, 'file/v360', await encodeVideo(source, 360, folder, 'gblur=sigma=3'))
    put(site, 'file/v180', await encodeVideo(source, 180, folder, "negate=enable='eq(n,70)'"))
  }, {})
  expect(problems).toEqual(some(/^360p: SSIM is 0.\d+, less than 0.9/, /^180p: SSIM of a frame is/))
})

test('segments that need the one before', async () => {
  const openGroups = ['-x264-params', 'open-gop=1:keyint=50:min-keyint=50']
  const problems = await problemsAfter(async (site) => {
    put(site, 'file/v180', await encodeVideo(source, 180, folder, 'null', openGroups))
  })
  expect(problems).toEqual(some(/^180p: segment 1 does not begin with an IDR picture/))
})

test.each([
  ['late', 'adelay=40:all=1', /the sound at 0.0 s is (39|40)\.\d ms late/],
  ['slow', 'atempo=0.993', /the sound at 5.0 s is [23]\d\.\d ms late/],
  ['broken at a border', "volume=0:enable='between(t,1.95,2.02)'", /the sound is broken at 2.005 s/],
  ['short', 'atrim=end=5.5', /the sound ends at 5.\d+ s and the picture at 6.000 s/],
])('sound that is %s', async (_, filters, complaint) => {
  const problems = await problemsAfter(async (site) => {
    put(site, 'file/audio', await encodeAudio(source, folder, filters))
  })
  expect(problems).toEqual(some(complaint))
})

test('sound of something else, and where none should be', async () => {
  const audioSource = await makeSource('several-audio-tracks')
  const expected = { audioSource, hasAudio: false, audioTracks: 2, subtitles: 0, ssimFloor: null }
  expect(await problemsAfter(() => {}, expected)).toEqual(
    some(
      /the sound at 0.0 s is not that of the source/,
      /there is sound where none should be/,
      /1 renditions of sound instead of 2/,
      /1 renditions of subtitles instead of 0/,
    ),
  )
})
