/** The file is none that is taken; the message tells its owner why. */
export class UnsupportedVideo extends Error {}

/** A media program began and did not do its work; the message is for the log. */
export class MediaProgramFailed extends Error {}
