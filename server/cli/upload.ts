import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  type Client,
  createClient,
  fileAt,
  MarqueeError,
  type Uploaded,
  type UploadOptions,
  uploads,
} from '../../packages/client/src/node.ts'
import { StartupError } from '../base/errors.ts'
import type { Parsed, Server } from './command.ts'
import { progressLines } from './upload-progress.ts'
import { choice } from './values.ts'

const TIERS = ['basic', 'shorts', 'pro'] as const

export const UPLOAD: Server = {
  name: 'upload',
  about: 'Upload videos and images, over HTTP and with a key; also from another machine',
  files: 'FILE…',
  options: {
    url: { about: 'The service; MARQUEE_BASE_URL, or the one that was started here', value: 'address' },
    key: { about: 'A secret key; MARQUEE_API_KEY, or that of the first start here', value: 'key' },
    feed: { about: 'Make a post of each, in this feed', value: 'feed_id' },
    poster: { about: 'The picture that a video is shown by before it plays', value: 'file' },
    subtitles: {
      about: 'Subtitles of a video; may be given several times',
      value: 'lang=file',
      several: true,
    },
    quality: { about: `Of videos, one of ${TIERS.join(', ')}`, value: 'tier' },
  },
}

interface UploadRequest extends Parsed {
  url: string
  key: string
}

/** What is printed for each file. */
export type UploadRow =
  | { file: string; kind: Uploaded['kind']; id: string; url: string }
  | { file: string; error: string }

/** Uploads all files; one that fails does not keep the others from being uploaded. */
export async function runUpload(request: UploadRequest): Promise<UploadRow[]> {
  const { files, values, url } = request
  if (files.length === 0) throw new StartupError('no file was named. See: npm run marquee -- upload --help')
  const subtitles = (request.lists.subtitles ?? []).map(languageAndFile)
  if (files.length > 1 && (values.poster || subtitles.length > 0))
    throw new StartupError('a poster and subtitles belong to one video: upload it by itself.')
  // Whatever is wrong here is told before anything is sent.
  const sources = await Promise.all(files.map(mediaAt))
  const poster = values.poster === undefined ? undefined : await mediaAt(values.poster)
  if (poster && sources[0]!.type.startsWith('image/'))
    throw new StartupError(`a poster belongs to a video, and ${files[0]} is an image.`)
  for (const { file } of subtitles) await readable(file)

  const client = createClient({ url, apiKey: request.key })
  const start = uploads(client)
  const lines = progressLines(files.map((file) => path.basename(file)))
  const options: UploadOptions = {
    ...(values.feed && { feedId: values.feed }),
    ...(values.quality && { quality: choice('quality', values.quality, TIERS) }),
    ...(poster && { poster }),
  }
  const rows = await Promise.all(
    sources.map(async (source, i): Promise<UploadRow> => {
      const file = files[i]!
      try {
        const made = await start(source, { ...options, onProgress: (p) => lines.show(i, p) }).done
        for (const one of subtitles) await addSubtitles(client, made, one)
        lines.end(i)
        return { file, ...addressOf(made) }
      } catch (error) {
        lines.end(i)
        return { file, error: wordsOf(error, url) }
      }
    }),
  )
  lines.close()
  return rows
}

/** A file that is a video or an image by its first bytes. */
async function mediaAt(file: string): Promise<File> {
  const media = await fileAt(file).catch((error) => {
    throw unreadable(file, error)
  })
  if (media.type) return media
  throw new StartupError(`${file} is neither a video nor an image that is known.`)
}

function readable(file: string): Promise<Buffer> {
  return readFile(file).catch((error) => {
    throw unreadable(file, error)
  })
}

function unreadable(file: string, error: NodeJS.ErrnoException): StartupError {
  const why = { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'it may not be read' }
  return new StartupError(`${file}: ${why[error.code as 'ENOENT'] ?? error.message}.`)
}

interface NamedSubtitles {
  language: string
  file: string
}

function languageAndFile(given: string): NamedSubtitles {
  const [, language, file] = /^([^=]+)=(.+)$/.exec(given) ?? []
  if (!language || !file) throw new StartupError(`--subtitles "${given}" is not like de=german.srt.`)
  return { language, file }
}

async function addSubtitles(
  client: Client,
  made: Uploaded,
  { language, file }: NamedSubtitles,
): Promise<void> {
  const videoId =
    made.kind === 'video' ? made.video.id : made.kind === 'post' ? made.post.video_id : undefined
  if (!videoId) throw new StartupError('subtitles belong to a video.')
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await readable(file))]), path.basename(file))
  await client.put('/videos/{videoId}/subtitles/{lang_code}', {
    path: { videoId, lang_code: language },
    body: form,
  })
}

function addressOf(made: Uploaded): { kind: Uploaded['kind']; id: string; url: string } {
  const { kind } = made
  if (kind === 'video') return { kind, id: made.video.id, url: made.video.file.url }
  if (kind === 'image') return { kind, id: made.image.id, url: made.image.file.url }
  return { kind, id: made.post.id, url: (made.post.video ?? made.post.image)?.file.url ?? '' }
}

function wordsOf(error: unknown, url: string): string {
  const { message } = error as Error
  return error instanceof MarqueeError && error.status === 0 ? `${url}: ${message}` : message
}
