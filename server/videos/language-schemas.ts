import { type Static, Type } from 'typebox'
import { exampleId } from '../base/ids.ts'
import { EXAMPLE_FILE, FormFileSchema } from '../http/multipart.ts'
import { EXAMPLE_TIME, exampleOf, named, ref, Timestamp } from '../http/schemas.ts'

/** A language, or the id of what is in that language; what is neither is known to nobody. */
export const Language = Type.String({ maxLength: 200, description: 'BCP 47', examples: ['pt-BR'] })
export const IdOrLanguage = Type.String({
  maxLength: 200,
  description: 'language code (BCP 47), or id',
  examples: ['pt-BR'],
})

const textFields = {
  id: Type.String(),
  video_id: Type.String(),
  language_code: Type.String({ description: 'BCP 47' }),
  label: Type.String(),
  name: Type.String({ description: 'file name' }),
  size: Type.Integer({ description: 'of the file as it was sent' }),
  url: Type.String(),
  created_at: Timestamp,
}

const textExample = {
  video_id: exampleId('video'),
  language_code: 'pt-BR',
  label: 'Português (Brasil)',
  created_at: EXAMPLE_TIME,
}
const exampleCdnUrl = `http://localhost:8080/cdn/${exampleId('project')}/${exampleId('file')}`

export const Subtitle = named('Subtitle', Type.Object(textFields), {
  ...textExample,
  id: exampleId('subtitle'),
  name: 'harbour.srt',
  size: 1834,
  url: `${exampleCdnUrl}/subtitles/${exampleId('subtitle')}.vtt`,
})
export type Subtitle = Static<typeof Subtitle>

export const AudioTrack = named(
  'AudioTrack',
  Type.Object({ ...textFields, format: Type.String({ description: 'of the file as it was sent' }) }),
  {
    ...textExample,
    id: exampleId('track'),
    name: 'harbour.mp3',
    size: 681984,
    url: `${exampleCdnUrl}/tracks/${exampleId('track')}.mp3`,
    format: 'mp3',
  },
)
export type AudioTrack = Static<typeof AudioTrack>

/** What a replacement of all of them answers, and what a list of them does. */
export const Subtitles = named('Subtitles', Type.Array(ref(Subtitle)), [exampleOf(Subtitle)])
export const SubtitleList = named('SubtitleList', Type.Object({ data: Type.Array(ref(Subtitle)) }), {
  data: [exampleOf(Subtitle)],
})
export const AudioTracks = named('AudioTracks', Type.Array(ref(AudioTrack)), [exampleOf(AudioTrack)])
export const AudioTrackList = named('AudioTrackList', Type.Object({ data: Type.Array(ref(AudioTrack)) }), {
  data: [exampleOf(AudioTrack)],
})

/** The form that adds or replaces the subtitles, or the audio track, of a language. */
export const LabelledFile = named(
  'LabelledFile',
  Type.Object({ file: FormFileSchema, label: Type.Optional(Type.String()) }),
  { file: EXAMPLE_FILE, label: 'Português (Brasil)' },
)

/** The form that replaces all subtitles, or all audio tracks, of a video. */
export const LabelledFiles = named(
  'LabelledFiles',
  Type.Object({
    files: Type.Array(FormFileSchema),
    language_codes: Type.String({ description: 'BCP 47, separated by commas' }),
    labels: Type.String({
      description: 'separated by commas; one with commas inside can be sent by repeating the field',
    }),
  }),
  { files: [EXAMPLE_FILE, EXAMPLE_FILE], language_codes: 'en,pt-BR', labels: 'English,Português (Brasil)' },
)

export const Deletion = named('Deletion', Type.Object({ message: Type.String(), status: Type.String() }), {
  message: 'Subtitle deleted',
  status: 'success',
})
export type Deletion = Static<typeof Deletion>

const SpokenLanguage = named(
  'Language',
  Type.Object({ code: Type.String({ description: 'BCP 47' }), name: Type.String() }),
  { code: 'pt-BR', name: 'Portuguese (Brazil)' },
)
export const Languages = named('Languages', Type.Array(ref(SpokenLanguage)), [exampleOf(SpokenLanguage)])
