import { parseSync } from 'rolldown/experimental'

interface Node {
  type: string
  start: number
  end: number
  await?: boolean
  argument?: Node
  body?: Node
}

/** The source with a call around what each `await` waits for, on the same lines. */
export function withHits(file: string, source: string): string {
  if (!source.includes('await')) return source
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const insertions: { at: number; text: string }[] = []
  const places = new Map<number, number>()
  const nameOf = ({ start }: Node) => {
    const line = source.slice(0, start).split('\n').length
    const index = (places.get(line) ?? 0) + 1
    places.set(line, index)
    return JSON.stringify(`${file}:${line}${index > 1 ? `#${index}` : ''}`)
  }
  visit(program as unknown as Node, (node) => {
    if (node.type === 'AwaitExpression') {
      const { start, end } = node.argument!
      insertions.push({ at: start, text: `killPointAwaited(${nameOf(node)}, (` })
      insertions.push({ at: end, text: '))' })
    }
    if (node.type === 'ForOfStatement' && node.await && node.body!.type === 'BlockStatement')
      insertions.push({ at: node.body!.start + 1, text: `killPointHit(${nameOf(node)}, 'done');` })
  })
  insertions.sort((a, b) => a.at - b.at)
  let result = ''
  let from = 0
  for (const { at, text } of insertions) {
    result += source.slice(from, at) + text
    from = at
  }
  return result + source.slice(from)
}

function visit(node: unknown, found: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, found)
  else if (node && typeof node === 'object') {
    if ('type' in node && 'start' in node) found(node as Node)
    for (const value of Object.values(node)) if (value && typeof value === 'object') visit(value, found)
  }
}
