import styles from './icons.module.css'

/** Lines on a grid of 24, drawn for this console. */
const PATHS = {
  start: 'M5 12h14M13 6l6 6-6 6',
  library: 'M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z',
  feeds: 'M7 3h10a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM10 18h4',
  analytics: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 7m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 17m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  search: 'M11 11m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M20 20l-4.500-4.500',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  close: 'M6 6l12 12M18 6L6 18',
  more: 'M5 12m-.6 0a.6 .6 0 1 0 1.200 0a.6 .6 0 1 0-1.200 0M12 12m-.6 0a.6 .6 0 1 0 1.200 0a.6 .6 0 1 0-1.200 0M19 12m-.6 0a.6 .6 0 1 0 1.200 0a.6 .6 0 1 0-1.200 0',
  upload: 'M12 16V4M7 9l5-5 5 5M4 20h16',
  play: 'M8 5.500v13l11-6.500z',
  plus: 'M12 5v14M5 12h14',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  chevron: 'M7 10l5 5 5-5',
  back: 'M19 12H5M11 6l-6 6 6 6',
  user: 'M12 8m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4 21c1-5 15-5 16 0',
  warning: 'M12 4L2.500 20h19zM12 10v4M12 17h.01',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15 9h.01',
  video: 'M4 6h11v12H4zM15 10l5-3v10l-5-3z',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  key: 'M8 15m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M11 12l9-9M16 7l3 3',
  edit: 'M4 20h4L19 9l-4-4L4 16z',
  retry: 'M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5',
}

export type IconName = keyof typeof PATHS

export const ICONS = Object.keys(PATHS) as IconName[]

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" className={styles.icon} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
