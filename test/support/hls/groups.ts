import type { Rendition, Variant } from './playlist.ts'

/** What renditions of a group, and groups and variants, owe each other. */
export function checkGroups(variants: Variant[], renditions: Rendition[], problems: string[]): void {
  for (const type of ['AUDIO', 'SUBTITLES']) {
    const groups = Map.groupBy(
      renditions.filter((rendition) => rendition.type === type),
      (rendition) => rendition.group,
    )
    for (const [group, members] of groups) checkMembers(`${type} group "${group}"`, members, problems)
    checkLikeness(type, [...groups.values()], problems)
    checkUse(type, new Set(groups.keys()), variants, problems)
  }
}

function checkMembers(group: string, members: Rendition[], problems: string[]): void {
  const names = new Set(members.map((member) => member.name))
  if (names.size < members.length) problems.push(`${group}: two renditions of one name`)
  if (members.filter((member) => member.isDefault).length > 1)
    problems.push(`${group}: more than one rendition has DEFAULT=YES`)
}

// URI and CHANNELS may differ between the encodings of one rendition, and GROUP-ID must.
const OWN = ['URI', 'CHANNELS', 'GROUP-ID', 'BIT-DEPTH', 'SAMPLE-RATE', 'STABLE-RENDITION-ID']

function checkLikeness(type: string, groups: Rendition[][], problems: string[]): void {
  const describe = (members: Rendition[]) =>
    members
      .map(({ attributes }) =>
        [...attributes]
          .filter(([name]) => !OWN.includes(name))
          .sort()
          .join(';'),
      )
      .sort()
      .join('\n')
  if (new Set(groups.map(describe)).size > 1) problems.push(`the ${type} groups have different renditions`)
}

function checkUse(type: string, groups: Set<string>, variants: Variant[], problems: string[]): void {
  for (const variant of variants) {
    const used = type === 'AUDIO' ? variant.audio : variant.subtitles
    if (used !== undefined && !groups.has(used))
      problems.push(`${variant.uri}: there is no ${type} group "${used}"`)
    if (used === undefined && groups.size > 0)
      problems.push(`${variant.uri}: names no ${type} group, though there are some`)
  }
  for (const group of groups)
    if (!variants.some((variant) => (type === 'AUDIO' ? variant.audio : variant.subtitles) === group))
      problems.push(`no variant uses the ${type} group "${group}"`)
}
