const NAME = 'marquee.recent'
const MOST = 5

/** Something of the project or of its organization, and where it is shown. */
export type Item = { name: string } & (
  | { kind: 'video' | 'image' | 'feed' }
  | { kind: 'post'; feedId: string; isDraft: boolean }
  | { kind: 'setting'; section: ItemSection }
)

/** The sections of the settings that are lists of things with names. */
export type ItemSection = 'keys' | 'members' | 'policies' | 'webhooks' | 'signing-keys'

/** Something that was opened by the palette, as much of it as is needed to show it again without asking for it. */
interface Recent {
  id: string
  projectId: string
  /** Of what is not among the commands that are always there. */
  item?: Item
}

/** What was opened last, kept by the browser and for each project by itself. */
export function recentOf(projectId: string): Recent[] {
  return read().filter((recent) => recent.projectId === projectId)
}

export function keepRecent(recent: Recent): void {
  const others = read().filter(({ id, projectId }) => id !== recent.id || projectId !== recent.projectId)
  const own = others.filter(({ projectId }) => projectId === recent.projectId).slice(0, MOST - 1)
  const rest = others.filter(({ projectId }) => projectId !== recent.projectId).slice(0, 10 * MOST)
  try {
    localStorage.setItem(NAME, JSON.stringify([recent, ...own, ...rest]))
  } catch {
    // A browser that keeps nothing has nothing recent.
  }
}

function read(): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent) : []
  } catch {
    return []
  }
}

function isRecent(kept: unknown): kept is Recent {
  const { id, projectId, item } = (kept ?? {}) as Recent
  return typeof id === 'string' && typeof projectId === 'string' && (!item || typeof item.name === 'string')
}
