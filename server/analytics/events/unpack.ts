import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { badRequest, Refusal } from '../../base/errors.ts'

const unzip = promisify(gunzip)

export const MAX_BODY = 2 * 1024 * 1024

const TOO_LARGE = new Refusal(413, { details: 'body: at most 2 MiB, unpacked too' })

/** The text of a body by its Content-Encoding. Unpacking ends at the limit, whatever was packed. */
export async function unpackBody(body: Buffer, encoding: string | undefined): Promise<string> {
  const wanted = encoding?.trim().toLowerCase() ?? 'identity'
  if (wanted === 'identity' || wanted === '') return body.toString()
  if (wanted !== 'gzip' && wanted !== 'x-gzip')
    throw new Refusal(415, {
      details: 'send the body as it is, or with Content-Encoding: gzip',
      headers: { 'accept-encoding': 'gzip' },
    })
  try {
    return (await unzip(body, { maxOutputLength: MAX_BODY })).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw TOO_LARGE
    throw badRequest('body: not valid gzip')
  }
}
