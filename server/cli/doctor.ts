import type { Examined } from '../start/doctor/examine.ts'
import { columns, type Server } from './command.ts'

export const DOCTOR: Server = {
  name: 'doctor',
  about: 'Look into this installation and its engines, and say what to do where something is wrong',
  options: {},
}

const MARKS = { ok: 'ok', warn: 'warning', fail: 'WRONG' }

export function wordsOf(findings: Examined[]): string {
  const table = columns(findings.map(({ name, state, found }) => [MARKS[state], name, found]))
  const todo = findings.flatMap(({ name, todo }) => (todo ? [`  ${name}: ${todo}`] : []))
  const count = (state: Examined['state']) => findings.filter((one) => one.state === state).length
  const verdict =
    todo.length === 0 && count('fail') === 0
      ? 'Nothing is wrong.'
      : `${count('fail')} wrong, ${count('warn')} to know of.\n\nWhat to do\n${todo.join('\n')}`
  return `${table}\n\n${verdict}\n`
}

export const isWell = (findings: Examined[]) => findings.every(({ state }) => state !== 'fail')
