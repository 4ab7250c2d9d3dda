import { MarqueePlayer } from './element.ts'

export { MarqueePlayer, type TrackerLike } from './element.ts'
export type { Labels } from './labels.ts'
export type { Chapter, Choice, Player, PlayerState, Rung, Trouble } from './player.ts'
export type { Source } from './source.ts'

declare global {
  interface HTMLElementTagNameMap {
    'marquee-player': MarqueePlayer
  }
}

if (globalThis.customElements && !customElements.get('marquee-player'))
  customElements.define('marquee-player', MarqueePlayer)
