/** What is written in the player. */
type Text =
  | 'Play'
  | 'Settings'
  | 'Quality'
  | 'Speed'
  | 'Audio'
  | 'Subtitles'
  | 'Auto'
  | 'Normal'
  | 'Off'
  | 'Back'
  | 'Try again'
  | 'Reconnecting…'
  | 'The connection was lost.'
  | 'This video is not available.'
  | 'This video cannot be played here.'
  | 'Pause'
  | 'Mute'
  | 'Unmute'
  | 'Posts'
  | 'Next post'
  | 'Previous post'
  | 'More'
  | 'Loading'
  | 'There are no posts yet.'
  | 'This post is not available.'
  | 'This feed is not available.'

/** Other words for those of the player and of media-chrome: by their English text. */
export type Labels = { [Key in Text]?: string } & { [text: string]: string | undefined }

export const MESSAGES = {
  network: 'The connection was lost.',
  unavailable: 'This video is not available.',
  unplayable: 'This video cannot be played here.',
} as const

/** media-chrome has many of its words twice, with and without a capital. */
export function forControls(labels: Labels): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([text, label]) =>
      label === undefined
        ? []
        : [
            [text.toLowerCase(), label],
            [text, label],
          ],
    ),
  )
}
