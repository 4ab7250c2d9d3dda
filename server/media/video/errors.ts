/** The file is none that is taken; the message tells its owner why. */
export class UnsupportedVideo extends Error {}

/** A media program began and did not do its work; the message is for the log. */
export class MediaProgramFailed extends Error {}

/** A program ended with an error, or crashed, by itself: nobody broke it off, and no limit did. */
export class ProgramGaveUp extends MediaProgramFailed {}

/** A program did its work, but what came of it is not what the file's index promised. */
export class NotAsListed extends MediaProgramFailed {
  /** The initialisation segment, where it came to one. */
  readonly init: Buffer | undefined

  constructor(message: string, init?: Buffer) {
    super(message)
    this.init = init
  }
}
