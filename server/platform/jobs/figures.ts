import { shareLookUps } from '../../base/share-look-ups.ts'
import { JOB_STATES, type JobRecords, type QueueFigures } from './port.ts'

interface Sample {
  labels: Record<string, string>
  value: number
}

/** How the queues are doing, in the words of metrics: they are counted once each time they are asked for. */
export function jobFigures(records: JobRecords) {
  const share = shareLookUps()
  const each = async (samplesOf: (figures: QueueFigures) => Sample[]) =>
    (await share('jobs', records.count)).flatMap(samplesOf)
  return [
    {
      as: 'gauge' as const,
      name: 'marquee_jobs',
      help: 'Jobs that wait, run, or have failed for good, in all processes',
      labels: ['queue', 'state'],
      count: () =>
        each((figures) =>
          JOB_STATES.map((state) => ({ labels: { queue: figures.queue, state }, value: figures[state] })),
        ),
    },
    {
      as: 'gauge' as const,
      name: 'marquee_jobs_oldest_waiting_seconds',
      help: 'How long ago the job was asked for that waits longest',
      labels: ['queue'],
      count: () => each(({ queue, oldestWaitingSeconds: value }) => [{ labels: { queue }, value }]),
    },
  ]
}
