let analyser

/** The loudest frequency of what is heard now, in hertz. */
export async function frequencyOf(video, until) {
  video.muted = false
  analyser ??= await listenTo(video)
  const levels = new Float32Array(analyser.frequencyBinCount)
  const loudest = () => {
    analyser.getFloatFrequencyData(levels)
    return levels.reduce((best, level, i) => (level > levels[best] ? i : best), 0)
  }
  await until('sound', () => levels[loudest()] > -60)
  return (loudest() * analyser.context.sampleRate) / analyser.fftSize
}

async function listenTo(video) {
  const context = new AudioContext()
  await context.resume()
  const node = context.createAnalyser()
  node.fftSize = 4096
  node.smoothingTimeConstant = 0
  context.createMediaElementSource(video).connect(node).connect(context.destination)
  return node
}
