/** A text and when it is shown. Times are whole milliseconds from the start of the video. */
export interface Cue {
  start: number
  end: number
  /** As WebVTT writes them after the times, such as `line:0 align:start`; empty where there are none. */
  settings: string
  /** WebVTT cue text: lines, a few tags, and entities for `&`, `<` and `>`. */
  text: string
  id?: string
}
