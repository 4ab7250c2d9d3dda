import { createElement, type HTMLAttributes, type ReactElement, type Ref } from 'react'
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

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'marquee-player': MarqueePlayerAttributes & HTMLAttributes<PlayerElement> & { ref?: Ref<PlayerElement> }
    }
  }
}

const FLAGS = ['autoplay', 'muted', 'loop', 'nocontrols'] as const

/** `<marquee-player>` for React 18 and newer. */
export function MarqueePlayer({ apiKey, labels, tracker, ref, ...props }: MarqueePlayerProps): ReactElement {
  const flags = Object.fromEntries(FLAGS.map((name) => [name, props[name] ? '' : undefined]))
  return createElement('marquee-player', {
    ...props,
    ...flags,
    ref: (element: PlayerElement | null) => {
      if (element) {
        // React keeps an attribute of this name for itself.
        if (apiKey) element.setAttribute('key', apiKey)
        element.labels = labels ?? {}
        element.tracker = tracker
      }
      if (typeof ref === 'function') return ref(element)
      if (ref) ref.current = element
    },
  })
}
