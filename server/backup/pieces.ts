export interface ContentPiece {
  bytes: Buffer
  isLast: boolean
}

/** Cuts content into pieces of these lengths; the last is what is left, which may be nothing. */
export async function* piecesOf(
  content: AsyncIterable<Buffer>,
  lengthOf: (number: number) => number,
): AsyncGenerator<ContentPiece> {
  let parts: Buffer[] = []
  let have = 0
  let number = 0
  for await (const part of content) {
    parts.push(part)
    have += part.length
    // More than one: whether it is the last is known only once there is something behind it.
    if (have <= lengthOf(number)) continue
    let all = Buffer.concat(parts)
    for (let length = lengthOf(number); all.length > length; length = lengthOf(++number)) {
      yield { bytes: all.subarray(0, length), isLast: false }
      all = all.subarray(length)
    }
    parts = [all]
    have = all.length
  }
  yield { bytes: Buffer.concat(parts), isLast: true }
}

/** Does this for one after the other, some beside each other, and answers in the same order. */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  try {
    for await (const item of source) {
      running.push(work(item))
      // Its failure is met when its turn comes.
      running.at(-1)!.catch(() => {})
      if (running.length >= atOnce) yield await running.shift()!
    }
    while (running.length > 0) yield await running.shift()!
  } finally {
    await Promise.allSettled(running)
  }
}

/** The lines of a text that comes in pieces, without their line feeds. */
export async function* linesIn(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = []
  for await (const part of content) {
    let from = 0
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, from)) {
      const end = part.subarray(from, at)
      yield (rest.length > 0 ? Buffer.concat([...rest, end]) : end).toString()
      rest = []
      from = at + 1
    }
    if (from < part.length) rest.push(part.subarray(from))
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString()
}
