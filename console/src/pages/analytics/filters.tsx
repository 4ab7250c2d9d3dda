import { useQuery } from '@tanstack/react-query'
import { ChoiceBox } from '../../components/lazy-choice-box.tsx'
import { formatCountry } from '../../format.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './filters.module.css'
import { topQuery, valuesQuery } from './queries.ts'
import { useLooked } from './use-looked.ts'
import { useNames } from './use-names.ts'

const text = words.analytics
const OFFERED = 25

/** Leaves the views of one video, in one feed, from one country. */
export function Filters() {
  const { projectId } = useProject()
  const { looked, change } = useLooked()
  const videos = useQuery(topQuery(projectId, looked, 'videos', OFFERED)).data ?? []
  const feeds = useQuery(topQuery(projectId, looked, 'feeds', OFFERED)).data ?? []
  const countries = useQuery(valuesQuery(projectId, looked, { kind: 'content_view', field: 'country' })).data
  const ids = [...videos, ...feeds].map(({ id }) => id)
  const nameOf = useNames([...ids, looked.video, looked.feed])
  const offer = (items: { id: string; views: number }[], chosen: string) => {
    const isMissing = chosen && !items.some(({ id }) => id === chosen)
    const all = isMissing ? [{ id: chosen, views: undefined }, ...items] : items
    return all.map(({ id, views }) => ({ value: id, label: nameOf(id), ...(views && { count: views }) }))
  }
  return (
    <>
      <fieldset className={styles.filters}>
        <legend className="visually-hidden">{text.filters}</legend>
        <ChoiceBox
          label={text.video}
          placeholder={text.all.video}
          value={looked.video}
          choices={offer(videos, looked.video)}
          onChoose={(video) => change({ video: video || undefined })}
          isOptional
        />
        <ChoiceBox
          label={text.feed}
          placeholder={text.all.feed}
          value={looked.feed}
          choices={offer(feeds, looked.feed)}
          onChoose={(feed) => change({ feed: feed || undefined })}
          isOptional
        />
        <ChoiceBox
          label={text.country}
          placeholder={text.all.country}
          value={looked.country}
          choices={(countries?.values ?? []).map(({ value, count }) => ({
            value,
            count,
            label: formatCountry(value) || text.unknown,
          }))}
          onChoose={(country) => change({ country: country || undefined })}
          isOptional
        />
      </fieldset>
      {(looked.video || looked.feed || looked.country) && <p className={styles.note}>{text.filtered}</p>}
    </>
  )
}
