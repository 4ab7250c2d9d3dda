/** What is shown now as a few fields, each with the average of its red, green and blue. */
export function pictureOf(video: HTMLVideoElement, across: number, down: number): number[] {
  const { videoWidth: width, videoHeight: height } = video
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')!
  context.drawImage(video, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height)
  const sums = new Float64Array(across * down * 3)
  const counts = new Float64Array(across * down)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const field = Math.floor((y * down) / height) * across + Math.floor((x * across) / width)
      counts[field]! += 1
      for (let colour = 0; colour < 3; colour++)
        sums[field * 3 + colour]! += data[(y * width + x) * 4 + colour]!
    }
  return Array.from(sums, (sum, i) => sum / counts[Math.floor(i / 3)]!)
}
