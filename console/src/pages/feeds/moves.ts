/** A post that is put right before or right after another. */
export interface Move {
  id: string
  before?: string
  after?: string
}

interface Placed {
  id: string
}

/** What puts it at an index of the list. */
export function moveTo(posts: readonly Placed[], id: string, to: number): Move | undefined {
  const others = posts.filter((post) => post.id !== id)
  const [first, above] = [others[0], others[to - 1]]
  if (to > 0) return above && { id, after: above.id }
  return first && { id, before: first.id }
}

/** What brings it back to where it is now. */
export function placeOf(posts: readonly Placed[], id: string): Move | undefined {
  return moveTo(
    posts,
    id,
    posts.findIndex((post) => post.id === id),
  )
}

/** The list as it is after a move; as it was, where one of the two is not in it. */
export function applyMove<Post extends Placed>(posts: Post[], { id, before, after }: Move): Post[] {
  const moved = posts.find((post) => post.id === id)
  const others = posts.filter((post) => post.id !== id)
  const beside = others.findIndex((post) => post.id === (before ?? after))
  if (!moved || beside < 0) return posts
  others.splice(before ? beside : beside + 1, 0, moved)
  return others
}
