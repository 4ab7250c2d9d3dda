import { MarqueeFeed } from './feed-element.ts'

export { MarqueeFeed } from './feed-element.ts'
export type { Picture, Post, PostPage, ReadPage, ReadToken } from './feed-reader.ts'

declare global {
  interface HTMLElementTagNameMap {
    'marquee-feed': MarqueeFeed
  }
}

if (globalThis.customElements && !customElements.get('marquee-feed'))
  customElements.define('marquee-feed', MarqueeFeed)
