/** The file is not an image we take; the message is for the person who sent it. */
export class UnsupportedImage extends Error {
  override readonly name = 'UnsupportedImage'
}

/** The process that decodes crashed or hung; another try may work. */
export class ImageWorkerFailed extends Error {
  override readonly name = 'ImageWorkerFailed'
}

/** The process ended before it had begun with the image: another one can take it as if nothing had been. */
export class ImageWorkerLost extends ImageWorkerFailed {}
