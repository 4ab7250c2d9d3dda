let analyser: AnalyserNode | undefined

/** The loudest frequency of what is heard now, in hertz. */
export async function frequencyOf(
  video: HTMLVideoElement,
  until: (what: string, condition: () => boolean) => Promise<void>,
): Promise<number> {
  video.muted = false
  analyser ??= await listenTo(video)
  const { frequencyBinCount, context, fftSize } = analyser
  const levels = new Float32Array(frequencyBinCount)
  const loudest = () => {
    analyser!.getFloatFrequencyData(levels)
    return levels.reduce((best, level, i) => (level > levels[best]! ? i : best), 0)
  }
  await until('sound', () => levels[loudest()]! > -60)
  return (loudest() * context.sampleRate) / fftSize
}

async function listenTo(video: HTMLVideoElement): Promise<AnalyserNode> {
  const context = new AudioContext()
  await context.resume()
  const node = context.createAnalyser()
  node.fftSize = 4096
  node.smoothingTimeConstant = 0
  context.createMediaElementSource(video).connect(node).connect(context.destination)
  return node
}
