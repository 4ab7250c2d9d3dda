import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take many times as long as others, though they are not larger. */
const LONG =
  /\/(video-|command-line|demo|trash|images|jobs|kill-|hostile-videos|odd-films|processes|kinds|sources|paused-worker|many-machines|every-page|tracked|feed-pages|screens)[\w-]*\.test\.ts$/

/** Long files are begun first, or the last of them would have the machine to itself at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
