import { type Client, fileAt, type StartFileUpload, uploads } from '../../../packages/client/src/node.ts'
import { FEEDS, languageName } from './library/feeds.ts'
import { webVtt } from './library/subtitles.ts'
import type { MadeFilm, MadeMedia, MadePicture } from './make-media.ts'
import type { StepLines } from './progress.ts'
import type { DemoState } from './state.ts'

export interface PublishOptions {
  client: Client
  media: MadeMedia
  state: DemoState
  /** Keeps the state: what is in it is not done again. */
  keep(): void
  signal: AbortSignal
  progress: StepLines
}

/** Uploads what was made, says what it is, and posts it in feeds. */
export async function publish(options: PublishOptions): Promise<void> {
  const { client, media, state, keep, signal, progress } = options
  const start = uploads(client, { concurrency: 2 })
  const [films, pictures] = [media.films, media.pictures]
  const total = films.length + pictures.length
  let done = 0
  const tell = () => progress.show('uploading', ++done / total)

  await Promise.all([
    ...films.map(async (film) => {
      state.videos[film.slug] ??= await uploadFilm(start, film, signal)
      keep()
      await describeFilm(client, film, state.videos[film.slug]!)
      tell()
    }),
    ...pictures.map(async (picture) => {
      state.images[picture.slug] ??= await uploadPicture(start, picture, signal)
      keep()
      const imageId = state.images[picture.slug]!
      await client.patch('/images/{imageId}', {
        path: { imageId },
        body: titleOf(picture),
        isRepeatable: true,
      })
      tell()
    }),
  ])
  for (const feed of FEEDS) {
    signal.throwIfAborted()
    const { slug, name, description, visibility } = feed
    state.feeds[slug] ??= (await client.post('/feeds', { body: { name, description, visibility } })).id
    keep()
    for (const one of inOrder(films, pictures).filter(feed.shows)) await post(options, slug, one)
  }
  if (pictures[0]) await draft(options, pictures[0])
  progress.done(`${total} files are uploaded and posted in ${FEEDS.length} feeds.`)
}

async function uploadFilm(start: StartFileUpload, film: MadeFilm, signal: AbortSignal): Promise<string> {
  const poster = await fileAt(film.posterFile)
  const made = await start(film.file, { name: film.name, kind: 'video', poster, signal }).done
  if (made.kind !== 'video') throw new Error('a film became something else')
  return made.video.id
}

async function uploadPicture(
  start: StartFileUpload,
  picture: MadePicture,
  signal: AbortSignal,
): Promise<string> {
  const made = await start(picture.file, { name: picture.name, kind: 'image', signal }).done
  if (made.kind !== 'image') throw new Error('a picture became something else')
  return made.image.id
}

/** A file's name without its ending, and what its posts say of it. */
function titleOf({ name, description }: { name: string; description: string }) {
  return { name: name.replace(/\.\w+$/, ''), description }
}

/** May be done again: each replaces what is there. */
async function describeFilm(client: Client, film: MadeFilm, videoId: string): Promise<void> {
  await client.patch('/videos/{videoId}', { path: { videoId }, body: titleOf(film), isRepeatable: true })
  for (const [language, cues] of Object.entries(film.subtitles)) {
    const form = new FormData()
    form.append('file', new Blob([webVtt(cues)], { type: 'text/vtt' }), `${language}.vtt`)
    form.append('label', languageName(language))
    await client.put('/videos/{videoId}/subtitles/{lang_code}', {
      path: { videoId, lang_code: language },
      body: form,
    })
  }
  if (film.chapters.length > 0)
    await client.put('/videos/{videoId}/chapters', {
      path: { videoId },
      body: { chapters: film.chapters.map(([start_time_sec, title]) => ({ title, start_time_sec })) },
    })
}

/** Two pictures after each film, as somebody posts who has more pictures than films. */
function inOrder(films: MadeFilm[], pictures: MadePicture[]): (MadeFilm | MadePicture)[] {
  const each = Math.ceil(pictures.length / Math.max(1, films.length))
  const mixed = films.flatMap((film, i) => [film, ...pictures.slice(i * each, (i + 1) * each)])
  return films.length === 0 ? pictures : mixed
}

async function post(
  { client, state, keep }: PublishOptions,
  feed: string,
  one: MadeFilm | MadePicture,
): Promise<void> {
  const place = `${feed}/${one.slug}`
  if (state.posts[place]) return
  const isFilm = 'scene' in one
  const id = (isFilm ? state.videos : state.images)[one.slug]!
  const { data } = await client.post('/feeds/{feedId}/content', {
    path: { feedId: state.feeds[feed]! },
    body: {
      content_ids: [id],
      content_type: isFilm ? 'video' : 'image',
      description: one.description,
      creator_id: 'studio',
    },
    // What the feed shows already is not added again.
    isRepeatable: true,
  })
  state.posts[place] = data[0]!.id
  keep()
}

const UNFINISHED = 'draft'

/** A post whose upload nobody has completed: a draft, for as long as its address lasts. */
async function draft({ client, state, keep }: PublishOptions, picture: MadePicture): Promise<void> {
  const [feedId] = Object.values(state.feeds)
  if (state.posts[UNFINISHED] || !feedId) return
  const { post_id, content_upload_url } = await client.post(
    '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/upload/init',
    {
      path: { projectId: state.project_id, feedId },
      body: {
        ...{ content_type: 'image', file_name: picture.name, format: 'jpg', creator_id: 'studio' },
        description: 'The same valley with more haze. Not sure yet.',
      },
    },
  )
  await fetch(content_upload_url, { method: 'PUT', body: await fileAt(picture.file) })
  state.posts[UNFINISHED] = post_id
  keep()
}
