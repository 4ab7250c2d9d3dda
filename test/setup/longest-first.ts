import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take many times as long as others, though they are not larger. */
const LONG =
  /\/(video-|command-line|demo|trash|images|jobs|kill-|hostile-videos|odd-films|processes|kinds|sources|paused-worker|many-machines|every-page|tracked|feed-pages|screens)[\w-]*\.test\.ts$/

/**
 * Long files are begun first, or the last of them would have the machine to itself at the end. Faults, which mostly wait, and
 * pages, which mostly compute, run beside each other.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    const longestFirst = [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
    const isMixed = ({ project }: TestSpecification) => MIXED.includes(project.name)
    const lanes = MIXED.map((name) => longestFirst.filter(({ project }) => project.name === name))
    return [...longestFirst.filter((file) => !isMixed(file)), ...evenly(lanes)]
  }
}

const MIXED = ['faults', 'servers']

/** Each in its order, and as far as the others at any time. */
function evenly<T>(lists: T[][]): T[] {
  const placed = lists.flatMap((list) => list.map((item, i) => ({ item, at: (i + 0.5) / list.length })))
  return placed.toSorted((a, b) => a.at - b.at).map(({ item }) => item)
}
