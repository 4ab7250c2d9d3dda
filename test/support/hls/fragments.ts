import { type Box, boxesOf, findBox } from '../videos/boxes.ts'
import type { Init } from './init.ts'

export interface Sample {
  /** In units of the track. */
  decodeTime: number
  presentationTime: number
  duration: number
  isSync: boolean
  data: Buffer
}

/** The samples of one media segment, which is moof and mdat, once or more. */
export function readSegment(content: Buffer, init: Init): Sample[] {
  const boxes = boxesOf(content)
  const media = boxes.filter((box) => !['styp', 'sidx', 'emsg', 'prft'].includes(box.type))
  const order = media.map((box) => box.type).join(' ')
  if (!/^moof mdat( moof mdat)*$/.test(order)) throw new Error(`the boxes are "${order}"`)
  if (boxes[0]!.type !== 'styp' && boxes[0]!.type !== 'moof') throw new Error(`begins with ${boxes[0]!.type}`)
  const samples: Sample[] = []
  for (let i = 0; i < media.length; i += 2) {
    const fragment = readFragment(content, media[i]!, media[i + 1]!, init)
    const before = samples.at(-1)
    if (before && fragment[0] && before.decodeTime + before.duration !== fragment[0].decodeTime)
      throw new Error('its fragments do not follow each other without a gap')
    samples.push(...fragment)
  }
  if (samples.length === 0) throw new Error('it holds no sample')
  return samples
}

function readFragment(content: Buffer, moof: Box, mdat: Box, init: Init): Sample[] {
  const trafs = boxesOf(moof.body).filter((box) => box.type === 'traf')
  const traf = trafs[0]?.body
  if (trafs.length !== 1 || !traf) throw new Error(`a fragment of ${trafs.length} tracks`)
  const tfdt = findBox(traf, 'tfdt')
  if (!tfdt) throw new Error('a fragment without tfdt')
  const defaults = defaultsOf(findBox(traf, 'tfhd')!, init)
  const start = moof.whole.byteOffset - content.byteOffset
  const dataStart = mdat.body.byteOffset - content.byteOffset
  const dataEnd = dataStart + mdat.body.length
  let decodeTime = tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4)
  const samples: Sample[] = []
  for (const { body: trun } of boxesOf(traf).filter((box) => box.type === 'trun')) {
    const flags = trun.readUInt32BE(0) & 0xffffff
    let at = 8
    const next = (flag: number, otherwise: number) => {
      if (!(flags & flag)) return otherwise
      at += 4
      return trun.readUInt32BE(at - 4)
    }
    let position = start + (next(0x1, 0) | 0)
    const firstFlags = next(0x4, -1)
    if (!(flags & 0x1)) throw new Error('a run of samples that does not say where its data is')
    for (let i = 0; i < trun.readUInt32BE(4); i++) {
      const duration = next(0x100, defaults.duration)
      const size = next(0x200, defaults.size)
      const own = next(0x400, defaults.flags)
      // Signed in either version, as every player reads it.
      const offset = next(0x800, 0) | 0
      if (position < dataStart || position + size > dataEnd)
        throw new Error('a sample that lies outside of the data of its fragment')
      const isSync = ((i === 0 && firstFlags >= 0 ? firstFlags : own) & 0x10000) === 0
      const data = content.subarray(position, position + size)
      const presentationTime = decodeTime + offset - init.shift
      samples.push({ decodeTime, presentationTime, duration, isSync, data })
      position += size
      decodeTime += duration
    }
  }
  return samples
}

function defaultsOf(tfhd: Buffer, init: Init): Init['defaults'] {
  const flags = tfhd.readUInt32BE(0) & 0xffffff
  if (flags & 0x1 || !(flags & 0x20000)) throw new Error('places are not counted from the moof')
  let at = flags & 0x2 ? 12 : 8
  const next = (flag: number, otherwise: number) => {
    if (!(flags & flag)) return otherwise
    at += 4
    return tfhd.readUInt32BE(at - 4)
  }
  return {
    duration: next(0x8, init.defaults.duration),
    size: next(0x10, init.defaults.size),
    flags: next(0x20, init.defaults.flags),
  }
}

/** Whether the first picture in a sample of H.264 is one that nothing before it is needed for. */
export function beginsAnew(sample: Sample): boolean {
  for (let at = 0; at + 4 < sample.data.length; at += 4 + sample.data.readUInt32BE(at)) {
    const type = sample.data[at + 4]! & 31
    if (type >= 1 && type <= 5) return type === 5
  }
  return false
}
