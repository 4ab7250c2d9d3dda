/** The file has no subtitles that we can read; the message is for the person who sent it. */
export class UnreadableSubtitles extends Error {
  override readonly name = 'UnreadableSubtitles'
}
