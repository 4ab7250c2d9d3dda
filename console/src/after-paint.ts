/**
 * Once the next frame is on the screen: whoever pressed a key or a button sees that before what follows of it. The frame
 * after it begins when this one was handed over, and what was begun sooner would take the processor from it.
 */
export function afterPaint(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(act)))
}

/** When the page has nothing else to do, or at last after `ms`. */
export function whenIdle(act: () => void, ms: number): void {
  // Safari has none.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: ms })
  else requestAnimationFrame(() => setTimeout(act))
}
