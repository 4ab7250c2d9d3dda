import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, say, timed } from './say.mjs'

const triedFile = path.join(root, 'node_modules/.marquee-programs-tried')

const OLDEST = [5, 1]

const MANAGERS = [
  {
    program: 'apt-get',
    steps: (packages) => [
      ['apt-get', 'update', '-q'],
      ['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...packages],
    ],
  },
  {
    program: 'dnf',
    names: { ffmpeg: 'ffmpeg-free' },
    steps: (packages) => [['dnf', 'install', '-y', '-q', ...packages]],
  },
  { program: 'apk', steps: (packages) => [['apk', 'add', '--no-cache', ...packages]] },
  { program: 'pacman', steps: (packages) => [['pacman', '-Sy', '--noconfirm', ...packages]] },
  { program: 'zypper', steps: (packages) => [['zypper', '--non-interactive', 'install', ...packages]] },
]

/**
 * Programs that handle media: ffmpeg and ffprobe by setting, then PATH, and bubblewrap, which keeps them
 * from doing harm. What is missing comes from the system's package manager, or the person is told what
 * to type; the service starts without them, and says at the time what it cannot do.
 */
export async function installPrograms() {
  const missing = [...(hasFfmpeg() ? [] : ['ffmpeg']), ...(onPath('bwrap') ? [] : ['bubblewrap'])]
  if (missing.length === 0) return
  const what = missing.join(' and ')
  const manager = MANAGERS.find((candidate) => onPath(candidate.program))
  if (!manager) return say(`${what} missing: install ffmpeg 5.1 or newer and bubblewrap`)
  const steps = manager.steps(missing.map((name) => manager.names?.[name] ?? name))
  const typed = steps.map((step) => `sudo ${step.join(' ')}`).join(' && ')
  const sudo = process.getuid?.() === 0 ? [] : passwordlessSudo() ? ['sudo', '-n'] : undefined
  if (existsSync(triedFile))
    return say(`${what} missing or too old, and could not be installed before. Type: ${typed}`)
  if (!sudo) return say(`${what} missing; videos need ffmpeg, bubblewrap makes it safe. Type: ${typed}`)

  // Tried once: a start that follows must not go to the network again.
  writeFileSync(triedFile, what)
  const trouble = timed(`installing ${what} with ${manager.program}, about a minute, once`, () =>
    firstTrouble(steps, sudo),
  )
  if (trouble !== undefined) return say(`${what} could not be installed (${trouble}). Type: ${typed}`)
  if (hasFfmpeg() && onPath('bwrap')) rmSync(triedFile)
  else if (!hasFfmpeg()) say('ffmpeg was installed but is older than 5.1: videos need a newer one')
}

/** Runs the steps until one fails, and answers its last line. */
function firstTrouble(steps, sudo) {
  for (const step of steps) {
    const [file, ...args] = [...sudo, ...step]
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const result = spawnSync(file, args, { env: environment, encoding: 'utf8' })
    if (result.status !== 0) return `${result.stderr ?? ''}`.trim().split('\n').at(-1)
  }
  return undefined
}

function hasFfmpeg() {
  return (
    isNewEnough(process.env.MARQUEE_FFMPEG || onPath('ffmpeg')) &&
    isNewEnough(process.env.MARQUEE_FFPROBE || onPath('ffprobe'))
  )
}

function isNewEnough(program) {
  if (!program) return false
  const banner = spawnSync(program, ['-version'], { encoding: 'utf8' }).stdout ?? ''
  const version = /version n?(\d+)\.(\d+)/.exec(banner)
  // A build from the development tree has no number; whoever runs one knows what they do.
  if (!version) return /version/.test(banner)
  return version[1] > OLDEST[0] || (Number(version[1]) === OLDEST[0] && Number(version[2]) >= OLDEST[1])
}

function onPath(program) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin']
  return folders
    .filter(Boolean)
    .map((folder) => path.join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

function passwordlessSudo() {
  return Boolean(onPath('sudo')) && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
}
