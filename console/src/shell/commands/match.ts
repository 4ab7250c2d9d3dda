import type { Command } from './use-commands.ts'

/** Whether every word that was typed begins one of the command's, in any order. */
export function isMatch({ title, also = '' }: Pick<Command, 'title' | 'also'>, typed: string): boolean {
  const own = wordsOf(`${title} ${also}`)
  return wordsOf(typed).every((word) => own.some((one) => one.startsWith(word)))
}

/** Titles that begin with what was typed come first. */
export function sorted(commands: Command[], typed: string): Command[] {
  const start = typed.trim().toLowerCase()
  const rank = ({ title }: Command) => (title.toLowerCase().startsWith(start) ? 0 : 1)
  return [...commands].sort((a, b) => rank(a) - rank(b))
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
