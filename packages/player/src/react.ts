import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type Ref,
} from 'react'
import type { MarqueeFeed as FeedElement, Post, ReadPage, ReadToken } from './feed.ts'
import type { Labels, MarqueePlayer as PlayerElement, TrackerLike } from './index.ts'
import './index.ts'

/** Attributes of `<marquee-player>`. */
export interface MarqueePlayerAttributes {
  video?: string
  post?: string
  src?: string
  token?: string
  url?: string
  poster?: string
  thumbhash?: string
  heading?: string
  captions?: string
  start?: number
  preload?: 'none' | 'metadata'
  autoplay?: boolean
  muted?: boolean
  loop?: boolean
  nocontrols?: boolean
}

export interface MarqueePlayerProps
  extends Omit<MarqueePlayerAttributes, 'key'>,
    Omit<HTMLAttributes<PlayerElement>, keyof MarqueePlayerAttributes> {
  ref?: Ref<PlayerElement>
  /** The publishable key; React keeps `key` for itself. */
  apiKey?: string
  labels?: Labels
  tracker?: TrackerLike
}

/** Attributes of `<marquee-feed>`. */
export interface MarqueeFeedAttributes {
  feed: string
  url?: string
  resume?: 'none'
  token?: string
}

export interface MarqueeFeedProps
  extends MarqueeFeedAttributes,
    Omit<HTMLAttributes<FeedElement>, keyof MarqueeFeedAttributes> {
  ref?: Ref<FeedElement>
  /** The publishable key; a public feed needs none. */
  apiKey?: string
  labels?: Labels
  tracker?: TrackerLike
  /** That of the first rendering is used; with another `key`, React makes another feed. */
  readPage?: ReadPage
  /** As `readPage`. */
  readToken?: ReadToken
  onPostChange?: (change: { post: Post; index: number }) => void
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'marquee-player': MarqueePlayerAttributes & HTMLAttributes<PlayerElement> & { ref?: Ref<PlayerElement> }
      'marquee-feed': MarqueeFeedAttributes & HTMLAttributes<FeedElement> & { ref?: Ref<FeedElement> }
    }
  }
}

const FLAGS = ['autoplay', 'muted', 'loop', 'nocontrols'] as const

/** `<marquee-player>` for React 18 and newer; the former hands a component its `ref` in no other way. */
export const MarqueePlayer: ForwardRefExoticComponent<MarqueePlayerProps> = forwardRef<
  PlayerElement,
  Omit<MarqueePlayerProps, 'ref'>
>(({ apiKey, labels, tracker, ...props }, ref) => {
  const flags = Object.fromEntries(FLAGS.map((name) => [name, props[name] ? '' : undefined]))
  return createElement('marquee-player', {
    ...props,
    ...flags,
    ref: (element: PlayerElement | null) => {
      if (element) {
        // React keeps an attribute of this name for itself.
        if (apiKey) element.setAttribute('key', apiKey)
        else element.removeAttribute('key')
        element.labels = labels ?? {}
        element.tracker = tracker
      }
      if (typeof ref === 'function') return ref(element)
      if (ref) ref.current = element
    },
  })
})

const changed: unique symbol = Symbol('what hears of a change of post')

/** `<marquee-feed>` for React 18 and newer. Its script is loaded when the first one is rendered. */
export const MarqueeFeed: ForwardRefExoticComponent<MarqueeFeedProps> = forwardRef<
  FeedElement,
  Omit<MarqueeFeedProps, 'ref'>
>(({ apiKey, labels, tracker, readPage, readToken, onPostChange, ...props }, ref) => {
  return createElement('marquee-feed', {
    ...props,
    ref: (element: (FeedElement & { [changed]?: (event: Event) => void }) | null) => {
      if (element) {
        if (apiKey) element.setAttribute('key', apiKey)
        else element.removeAttribute('key')
        // It is rendered anew with other functions; the last one is meant.
        if (element[changed]) element.removeEventListener('postchange', element[changed])
        element[changed] = (event) => onPostChange?.((event as CustomEvent).detail)
        element.addEventListener('postchange', element[changed])
        element.readPage = readPage
        element.readToken = readToken
        import('./feed.ts').then(() => Object.assign(element, { labels: labels ?? {}, tracker }))
      }
      if (typeof ref === 'function') return ref(element)
      if (ref) ref.current = element
    },
  })
})
