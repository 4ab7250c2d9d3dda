import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { badRequest, Refusal } from '../base/errors.ts'

const gunzip = promisify(zlib.gunzip)

/** A body as it was before its Content-Encoding. Unpacking ends at the limit, whatever was packed. */
export async function unpack(body: Buffer, encoding: string | undefined, mostBytes: number): Promise<Buffer> {
  const wanted = encoding?.trim().toLowerCase() || 'identity'
  if (wanted === 'identity') return body
  if (wanted !== 'gzip' && wanted !== 'x-gzip')
    throw new Refusal(415, {
      details: 'send the body as it is, or with Content-Encoding: gzip',
      headers: { 'accept-encoding': 'gzip' },
    })
  try {
    return await gunzip(body, { maxOutputLength: mostBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Refusal(413, { details: `body: at most ${mostBytes / 2 ** 20} MiB, unpacked too` })
    throw badRequest('body: not valid gzip')
  }
}
