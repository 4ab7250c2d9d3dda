import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { detectSandbox, type Sandbox } from '../../server/media/sandbox.ts'
import { runProgram } from '../../server/media/video/program.ts'
import { studyVideo } from '../../server/media/video/study.ts'
import { openTarget, type Target } from '../support/hostile-uploads.ts'
import { addressCanary, type Canary, fileCanary } from '../support/videos/canary.ts'
import * as hostile from '../support/videos/hostile.ts'
import { makeExternalData } from '../support/videos/hostile-mp4.ts'
import { ffprobe } from '../support/videos/programs.ts'

let target: Target
beforeAll(async () => {
  target = await openTarget()
})
afterAll(() => target.close())

interface Attack {
  what: string
  make(folder: string, victim: string): Promise<string>
  canary(folder: string): Canary | Promise<Canary>
  /** Options by which a careless program falls for it. */
  careless: string[]
  told: RegExp
}

const UNREADABLE = /^it is not a readable MP4, MOV, AVI, WebM or MKV file$/
const playlist = {
  make: hostile.makeFalsePlaylist,
  careless: ['-protocol_whitelist', 'file,crypto,data,http,tcp'],
  told: UNREADABLE,
}
const script = {
  make: hostile.makeConcatScript,
  careless: ['-f', 'concat', '-safe', '0', '-protocol_whitelist', 'file,http,tcp'],
  told: UNREADABLE,
}
const ATTACKS: Attack[] = [
  { what: 'a playlist of a local file', ...playlist, canary: fileCanary },
  { what: 'a playlist of an address on loopback', ...playlist, canary: addressCanary },
  { what: 'a script that names a local file', ...script, canary: fileCanary },
  { what: 'a script that names an address on loopback', ...script, canary: addressCanary },
  {
    what: 'a film whose pictures are in another file',
    make: (folder, victim) => makeExternalData(folder, victim, 'alias'),
    canary: fileCanary,
    careless: ['-enable_drefs', '1', '-use_absolute_path', '1'],
    told: /^it has no pictures$/,
  },
]

const tools = (sandbox: Sandbox) => ({ ffmpeg: 'ffmpeg', ffprobe: 'ffprobe', sandbox, silenceSeconds: 120 })

async function prepare({ make, canary: canaryIn }: Attack) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-canary-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const canary = await canaryIn(folder)
  return { canary, file: await make(folder, canary.name) }
}

test.each(ATTACKS)('$what: a careless program falls for it', async (attack) => {
  const { canary, file } = await prepare(attack)
  await ffprobe([...attack.careless, file]).catch(() => {})
  expect(canary.touched()).toBeGreaterThan(0)
})

const isWalledIn = detectSandbox().kind === 'bubblewrap'
test.runIf(isWalledIn).each(ATTACKS)('$what: behind walls a careless one does no harm', async (attack) => {
  const { canary, file } = await prepare(attack)
  const args = ['-v', 'error', ...attack.careless, '-i', file]
  const limits = { inputs: [file], discardsOutput: true, cpuSeconds: 60, memoryBytes: 2 ** 30 }
  const { ended } = runProgram(tools(detectSandbox()), { program: 'ffprobe', args, ...limits })
  await ended.catch(() => {})
  expect(canary.touched()).toBe(0)
})

test.each(ATTACKS)('$what: it is not opened even without a sandbox', async (attack) => {
  const { canary, file } = await prepare(attack)
  const open = tools({ kind: 'none', boundedTmp: false })
  await expect(studyVideo(open, file, 'basic')).rejects.toThrow(attack.told)
  expect(canary.touched()).toBe(0)
})

test.each(ATTACKS)('$what: the service refuses it', async (attack) => {
  const { canary, file } = await prepare(attack)
  await target.expectRefused(file, attack.told)
  expect(canary.touched()).toBe(0)
})
