import type { Span } from '../../base/tracing.ts'
import type { Statement } from './statement.ts'

const WHAT =
  /^\s*(?:with\b[\s\S]*?\)\s*)?(select|insert into|update|delete from)\b(?:[\s\S]*?\bfrom)?\s+([a-z_]+)?/i

/** A statement in a trace: its text has a number in place of each value. */
export const spanOf =
  ({ text }: Statement) =>
  (): Span => {
    const [, verb, table] = WHAT.exec(text) ?? []
    const name = verb ? `${verb.split(' ', 1)[0]!.toLowerCase()} ${table ?? ''}`.trim() : 'statement'
    return {
      name,
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.replaceAll(/\s+/g, ' ').trim() },
    }
  }

export const TRANSACTION = (): Span => ({
  name: 'transaction',
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
})
