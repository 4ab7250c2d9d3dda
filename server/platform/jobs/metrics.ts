import { coalesce } from '../../base/async/coalesce.ts'
import { JOB_STATES, type JobRecords, type QueueCounts } from './port.ts'

interface MetricSample {
  labels: Record<string, string>
  value: number
}

/** How the queues are doing, in the words of metrics: they are counted once each time they are asked for. */
export function jobMetrics(records: JobRecords) {
  const share = coalesce()
  const each = async (samplesOf: (figures: QueueCounts) => MetricSample[]) =>
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
