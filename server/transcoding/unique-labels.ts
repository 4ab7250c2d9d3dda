/** No two renditions of a group may have the same name. */
export function uniquelyLabelled<T extends { label: string }>(choices: readonly T[]): T[] {
  const taken = new Set<string>()
  return choices.map((choice) => {
    let label = choice.label
    for (let i = 2; taken.has(label); i++) label = `${choice.label} (${i})`
    taken.add(label)
    return { ...choice, label }
  })
}
