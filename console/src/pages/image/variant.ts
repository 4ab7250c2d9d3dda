import { queryOptions } from '@tanstack/react-query'
import { answered } from '../../api.ts'

export const FORMATS = ['avif', 'webp', 'jpg', 'png'] as const
export type Format = (typeof FORMATS)[number] | 'auto'

const GRAVITIES = ['smart', 'north', 'east', 'south', 'west'] as const
export type Gravity = (typeof GRAVITIES)[number]

/** What an image is asked for in. */
export interface Wish {
  w?: number | undefined
  h?: number | undefined
  fit?: 'cover' | 'fill' | undefined
  gravity?: Gravity | undefined
  format?: Format | undefined
  q?: number | undefined
}

const MOST = { w: 8192, h: 8192, q: 100 }

/** As an address has it; what is not understood is left out. */
export function readWish(search: Record<string, unknown>): Wish {
  const whole = (name: keyof typeof MOST) => {
    const value = Number(search[name])
    return Number.isInteger(value) && value >= 1 && value <= MOST[name] ? value : undefined
  }
  const format = [...FORMATS, 'auto' as const].find((one) => one === search.format)
  return {
    w: whole('w'),
    h: whole('h'),
    q: whole('q'),
    format,
    fit: (['cover', 'fill'] as const).find((one) => one === search.fit),
    gravity: GRAVITIES.find((one) => one === search.gravity),
  }
}

/** Only what differs from the image as it is. */
export function addressOf(url: string, { w, h, fit, gravity, format, q }: Wish): string {
  const query = new URLSearchParams()
  if (w) query.set('w', String(w))
  if (h) query.set('h', String(h))
  if (fit && w && h) query.set('fit', fit)
  if (gravity && fit === 'cover' && w && h) query.set('gravity', gravity)
  if (format) query.set('format', format)
  if (q) query.set('q', String(q))
  const text = query.toString()
  return text ? `${url}?${text}` : url
}

/** As browsers ask for pictures, so that the best format is what they would get. */
const ACCEPT = { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }

/** What an address answers: the picture itself, its size and its weight. */
export const variantQuery = (address: string) =>
  queryOptions({
    queryKey: ['variant', address],
    queryFn: async ({ signal }) => {
      const response = await answered(fetch(address, { headers: ACCEPT, signal }))
      const picture = await response.blob()
      const { width, height } = await sizeOf(picture)
      return { picture, type: picture.type, bytes: picture.size, width, height }
    },
    staleTime: 60_000,
  })

/** What an address weighs, without getting it. */
export const weightQuery = (address: string) =>
  queryOptions({
    queryKey: ['weight', address],
    queryFn: async ({ signal }) => {
      const response = await answered(fetch(address, { method: 'HEAD', headers: ACCEPT, signal }))
      return Number(response.headers.get('content-length'))
    },
    staleTime: 60_000,
  })

async function sizeOf(picture: Blob): Promise<{ width: number; height: number }> {
  const bitmap = await createImageBitmap(picture)
  const { width, height } = bitmap
  bitmap.close()
  return { width, height }
}
