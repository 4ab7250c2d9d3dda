import { type Static, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import { exampleOf, named, ref } from '../../http/schemas.ts'

const figures = {
  plays: Type.Integer({ description: 'different plays that something is known of' }),
  failed_plays: Type.Integer(),
  failure_rate: Type.Number({ description: 'failed plays divided by plays' }),
  start_median_ms: Type.Number({
    description: 'the time to the first picture that half of the starts do not exceed',
  }),
  start_p95_ms: Type.Number({ description: 'the one that 95 of 100 do not exceed' }),
  stalled_share: Type.Number({ description: 'time stalled, divided by time stalled and watched' }),
  average_rung: Type.Number({ description: 'the mean height of the picture over the time watched' }),
  dropped_frame_rate: Type.Number({ description: 'frames dropped divided by all' }),
}

const EXAMPLE = {
  plays: 120,
  failed_plays: 3,
  failure_rate: 0.025,
  start_median_ms: 420,
  start_p95_ms: 1800,
  stalled_share: 0.004,
  average_rung: 912.5,
  dropped_frame_rate: 0.001,
}

const QualityGroup = named(
  'QualityGroup',
  Type.Object({
    value: Type.String({ description: 'the day, the country or the browser; empty where it is not known' }),
    ...figures,
  }),
  { value: '2026-05-04', ...EXAMPLE },
)

const groups = Type.Array(ref(QualityGroup), {
  description: 'where `by` is given: days in order, others with the most plays first; at most 1,000',
})

export const PlaybackQuality = named('PlaybackQuality', Type.Object({ ...figures, groups }), {
  ...EXAMPLE,
  groups: [exampleOf(QualityGroup)],
})
export type PlaybackQuality = Static<typeof PlaybackQuality>

export const VideoPlaybackQuality = named(
  'VideoPlaybackQuality',
  Type.Object({ video_id: Type.String(), ...figures, groups }),
  { video_id: exampleId('video'), ...exampleOf(PlaybackQuality) },
)
