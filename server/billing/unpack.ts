import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { badRequest, Refusal } from '../base/errors.ts'
import { MAX_BODY } from './port.ts'

const gunzip = promisify(zlib.gunzip)

/**
 * The body as the provider signed it. A content encoding is put around it on the way, after it was signed;
 * what is inside is kept to the byte, and unpacked no further than the limit.
 */
export async function unpack(body: Buffer, encoding: string | undefined): Promise<Buffer> {
  switch ((encoding ?? 'identity').trim().toLowerCase()) {
    case 'identity':
    case '':
      return body
    case 'gzip':
    case 'x-gzip':
      try {
        return await gunzip(body, { maxOutputLength: MAX_BODY })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Refusal(413)
        throw badRequest('body: not gzip, though Content-Encoding says so')
      }
    default:
      throw new Refusal(415, {
        details: 'Content-Encoding: gzip or none is taken',
        headers: { 'accept-encoding': 'gzip, identity' },
      })
  }
}
