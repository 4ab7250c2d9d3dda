export interface Box {
  type: string
  /** With its heading. */
  whole: Buffer
  body: Buffer
}

/** The boxes of an MP4, one after the other; what is cut off or overlaps is an error. */
export function boxesOf(content: Buffer): Box[] {
  const found: Box[] = []
  for (let at = 0; at < content.length; ) {
    if (at + 8 > content.length) throw new Error(`half a box at byte ${at}`)
    const type = content.toString('latin1', at + 4, at + 8)
    const short = content.readUInt32BE(at)
    const heading = short === 1 ? 16 : 8
    const size = short === 1 ? Number(content.readBigUInt64BE(at + 8)) : short || content.length - at
    if (size < heading || at + size > content.length)
      throw new Error(`box ${type} at byte ${at} claims ${size} bytes`)
    found.push({
      type,
      whole: content.subarray(at, at + size),
      body: content.subarray(at + heading, at + size),
    })
    at += size
  }
  return found
}

/** The body of the first box at a path such as `moov/trak/mdia`. */
export function findBox(content: Buffer, path: string): Buffer | undefined {
  const [type, ...rest] = path.split('/')
  const body = boxesOf(content).find((box) => box.type === type)?.body
  return body && rest.length > 0 ? findBox(body, rest.join('/')) : body
}

export function box(type: string, ...contents: Buffer[]): Buffer {
  const heading = Buffer.alloc(8)
  const body = Buffer.concat(contents)
  heading.writeUInt32BE(body.length + 8)
  heading.write(type, 4, 'latin1')
  return Buffer.concat([heading, body])
}

/** The same content with the body of every box at this path changed, and all sizes around it made right. */
export function changeBoxes(content: Buffer, path: string, change: (body: Buffer) => Buffer): Buffer {
  const [type, ...rest] = path.split('/')
  const changed = boxesOf(content).map(({ type: own, whole, body }) => {
    if (own !== type) return whole
    return box(own, rest.length > 0 ? changeBoxes(body, rest.join('/'), change) : change(body))
  })
  return Buffer.concat(changed)
}
