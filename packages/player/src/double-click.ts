interface Host extends HTMLElement {
  readonly media: HTMLVideoElement
  play(): void
  pause(): void
}

/**
 * A double click on the picture, which plays on, or stands still, as before it: the controls toggle at each of its clicks,
 * but learn of a pause only after it, and may take the second click for another pause.
 */
export function onDoubleClick(host: Host, act: () => void): void {
  let wasPaused: boolean | undefined
  const noteFirst = ({ detail }: MouseEvent) => {
    if (detail === 1) wasPaused = host.hasAttribute('started') ? host.media.paused : undefined
  }
  host.addEventListener('click', noteFirst, true)
  host.addEventListener('dblclick', (event) => {
    if (!(event.composedPath()[0] as HTMLElement).matches('media-gesture-receiver,video')) return
    act()
    if (wasPaused === undefined || host.media.paused === wasPaused) return
    if (wasPaused) host.pause()
    else host.play()
  })
}
