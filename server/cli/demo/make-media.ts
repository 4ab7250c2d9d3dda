import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { DemoSize } from './command.ts'
import { type Film, filmsOf } from './library/films.ts'
import { type DemoPicture, PICTURES } from './library/pictures.ts'
import type { StepLines } from './progress.ts'
import { makeFilm } from './scenes/make-film.ts'
import { makePicture } from './scenes/make-picture.ts'

const run = promisify(execFile)

export interface MediaOptions {
  ffmpeg: string
  folder: string
  size: DemoSize
  signal: AbortSignal
  progress: StepLines
}

export interface MadeFilm extends Film {
  file: string
  posterFile: string
}

export interface MadePicture extends DemoPicture {
  file: string
}

export interface MadeMedia {
  films: MadeFilm[]
  pictures: MadePicture[]
}

/** Films at once: ffmpeg keeps some of two cores waiting, and drawing needs one. */
const AT_ONCE = 2

/** Draws all films and pictures into a folder; those that are there from an earlier try are taken as they are. */
export async function makeMedia(options: MediaOptions): Promise<MadeMedia> {
  const { folder, size, signal, progress } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const films = filmsOf(size).map((film) => ({
    ...film,
    file: path.join(folder, `${film.slug}.mp4`),
    posterFile: path.join(folder, `${film.slug}.jpg`),
  }))
  const pictures = PICTURES.slice(0, size.pictures).map((picture) => ({
    ...picture,
    file: path.join(folder, picture.name),
  }))

  const total = films.reduce((sum, { scene }) => sum + scene.seconds, 0) + pictures.length * PICTURE_SECONDS
  const made = new Map<string, number>()
  const tell = (slug: string, seconds: number) => {
    made.set(slug, seconds)
    const sum = [...made.values()].reduce((all, one) => all + one, 0)
    progress.show('drawing films and pictures', sum / total)
  }

  const waiting = [...films]
  async function filmAfterFilm(): Promise<void> {
    for (let film = waiting.shift(); film; film = waiting.shift()) {
      const { slug, scene } = film
      signal.throwIfAborted()
      if (!existsSync(film.file)) {
        const onProgress = (share: number) => tell(slug, share * scene.seconds)
        await makeFilm(scene, film.file, { ...options, onProgress })
      }
      await takePoster(options, film)
      tell(slug, scene.seconds)
    }
  }
  async function allPictures(): Promise<void> {
    for (const picture of pictures) {
      signal.throwIfAborted()
      if (!existsSync(picture.file)) await makePicture(picture, picture.file)
      tell(picture.slug, PICTURE_SECONDS)
    }
  }
  await Promise.all([...Array.from({ length: AT_ONCE }, filmAfterFilm), allPictures()])
  progress.done(`${films.length} films and ${pictures.length} pictures are drawn.`)
  return { films, pictures }
}

/** A picture is about as much work as so much of a film. */
const PICTURE_SECONDS = 5

async function takePoster({ ffmpeg, signal }: MediaOptions, film: MadeFilm): Promise<void> {
  const at = ['-ss', String(film.poster), '-i', film.file]
  await run(
    ffmpeg,
    ['-nostdin', '-v', 'error', ...at, '-frames:v', '1', '-q:v', '2', '-y', film.posterFile],
    { signal },
  )
}
