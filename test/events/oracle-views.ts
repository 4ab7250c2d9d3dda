import type {
  EventValues,
  OverviewCounts,
  OverviewQuery,
  ValuesQuery,
} from '../../server/platform/events/overview-port.ts'
import {
  bucketOf,
  contentOf,
  countViews,
  fieldOf,
  type Happened,
  mostFrequent,
  unique,
  viewersOf,
} from './oracle-events.ts'

/** The oracle of views, over time and all together. */
export function viewedOverTime(events: Happened[], query: OverviewQuery): OverviewCounts[] {
  const { interval, video, feed, country } = query
  const views = events
    .filter(({ kind }) => kind === 'content_view')
    .filter((event) => video === undefined || contentOf(event, 'video') === video)
    .filter((event) => feed === undefined || contentOf(event, 'feed') === feed)
    .filter((event) => country === undefined || fieldOf(event, 'country') === country)
  const placeOf = ({ time }: Happened) => (interval === undefined ? 0 : bucketOf(interval, time))
  return unique(views.map(placeOf))
    .sort((a, b) => a - b)
    .map((bucket) => {
      const there = views.filter((event) => placeOf(event) === bucket)
      const contents = unique(there.map(({ fields }) => fields.content_id))
      return {
        bucket,
        views: contents
          .map((id) => countViews(there.filter(({ fields }) => fields.content_id === id)))
          .reduce((sum, count) => sum + count, 0),
        viewers: viewersOf(there).length,
        ends: there.filter(({ fields }) => fields.view_type === 'end').length,
        watched: there.reduce((sum, { watched = 0 }) => sum + BigInt(watched), 0n),
      }
    })
}

/** The oracle of what there is to filter by. */
export function valuesIn(events: Happened[], { field, kind, prefix = '', limit }: ValuesQuery): EventValues {
  const values = events
    .filter((event) => kind === undefined || event.kind === kind)
    .flatMap((event) => (field === undefined ? [] : (fieldOf(event, field) ?? [])))
    .filter((value) => lowered(value).startsWith(lowered(prefix)))
  return {
    kinds: mostFrequent(events.map((event) => event.kind)).map(([kind, count]) => ({ kind, count })),
    values: mostFrequent(values)
      .slice(0, limit)
      .map(([value, count]) => ({ value, count })),
  }
}

function lowered(text: string): string {
  return [...text].map((letter) => (letter >= 'A' && letter <= 'Z' ? letter.toLowerCase() : letter)).join('')
}
