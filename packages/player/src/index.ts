import { MarqueePlayer } from './element.ts'

export { MarqueePlayer } from './element.ts'
// What the feed, which is a script of its own, shares with the player.
export { adopt, Base, followVisibility, SERVICE, STYLE_TAG, trusted } from './host.ts'
export type { Labels } from './labels.ts'
export { MESSAGES } from './labels.ts'
export { drawThumbhash, posterFor } from './placeholder.ts'
export { type Chapter, type Choice, Player, type PlayerState, type Rung, type Trouble } from './player.ts'
export type { Source } from './source.ts'
export { ask, Refusal, toSource } from './source.ts'
export { icon, PLAY } from './template.ts'
export { type TrackerLike, Tracking } from './tracking.ts'

declare global {
  interface HTMLElementTagNameMap {
    'marquee-player': MarqueePlayer
  }
}

if (globalThis.customElements && !customElements.get('marquee-player'))
  customElements.define('marquee-player', MarqueePlayer)
