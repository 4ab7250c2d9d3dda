import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { say } from './say.mjs'

const OLDEST = [5, 1]

const MANAGERS = [
  {
    program: 'apt-get',
    steps: [
      ['apt-get', 'update', '-q'],
      ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'ffmpeg'],
    ],
  },
  { program: 'dnf', steps: [['dnf', 'install', '-y', '-q', 'ffmpeg-free']] },
  { program: 'apk', steps: [['apk', 'add', '--no-cache', 'ffmpeg']] },
  { program: 'pacman', steps: [['pacman', '-Sy', '--noconfirm', 'ffmpeg']] },
  { program: 'zypper', steps: [['zypper', '--non-interactive', 'install', 'ffmpeg']] },
]

/** ffmpeg and ffprobe by setting, then PATH, then the system's package manager; else says what to type. */
export async function installFfmpeg() {
  if (found()) return
  const manager = MANAGERS.find((candidate) => onPath(candidate.program))
  const sudo = process.getuid?.() === 0 ? [] : passwordlessSudo() ? ['sudo', '-n'] : undefined
  if (!manager) return say('ffmpeg is missing and video needs it: install ffmpeg 5.1 or newer')
  const typed = manager.steps.map((step) => `sudo ${step.join(' ')}`).join(' && ')
  if (!sudo) return say(`ffmpeg is missing and video needs it. Type: ${typed}`)

  say(`installing ffmpeg with ${manager.program}`)
  for (const step of manager.steps) {
    const [file, ...args] = [...sudo, ...step]
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const result = spawnSync(file, args, { env: environment, encoding: 'utf8' })
    if (result.status === 0) continue
    const lastLine = `${result.stderr ?? ''}`.trim().split('\n').at(-1)
    return say(`ffmpeg could not be installed (${lastLine}). Type: ${typed}`)
  }
  if (!found()) say('ffmpeg was installed but is older than 5.1: video needs a newer one')
}

function found() {
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
