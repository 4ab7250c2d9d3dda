import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { descendants } from '../../server/media/process-tree.ts'

/** The media programs that a service has started, and those that work in its folder whoever their parent is. */
export function mediaPrograms({ pid, dataDir }: { pid: number; dataDir: string }): string[] {
  const below = new Set(descendants(pid))
  return readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 0 && one !== pid)
    .map((one) => ({ one, command: commandOf(one) }))
    .filter(({ one, command }) => below.has(one) || command.includes(dataDir))
    .map(({ command }) => command)
    .filter((command) => /ff(mpeg|probe)/.test(command))
}

/** Living processes whose command has this in it. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && commandOf(pid).includes(text))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/**
 * A program in the place of ffmpeg (or another), which is the real one but where its arguments have these words in
 * them: then it is this script. It sees no files but its own, so that it cannot count or remember.
 */
export function standIn(words: string, script: string, program = 'ffmpeg'): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-program-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  const file = path.join(folder, program)
  const lines = [
    '#!/bin/sh',
    'case "$*" in',
    `*"${words}"*)`,
    script,
    ';;',
    'esac',
    `exec ${program} "$@"`,
    '',
  ]
  writeFileSync(file, lines.join('\n'), { mode: 0o755 })
  return file
}
