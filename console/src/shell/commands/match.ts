import type { Command } from './use-commands.ts'

/** Whether every word that was typed begins one of the command's, in any order. */
export function isMatch({ title, also = '' }: Pick<Command, 'title' | 'also'>, typed: string): boolean {
  const own = wordsOf(`${title} ${also}`)
  return wordsOf(typed).every((word) => own.some((one) => one.startsWith(word)))
}

/** A title that is what was typed comes first, then those that begin with it. */
export function sorted(commands: Command[], typed: string): Command[] {
  const start = typed.trim().toLowerCase()
  const rank = ({ title }: Command) => {
    const own = title.toLowerCase()
    return own === start ? 0 : own.startsWith(start) ? 1 : 2
  }
  return [...commands].sort((a, b) => rank(a) - rank(b))
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
