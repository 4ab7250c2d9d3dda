import { StartupError } from '../base/errors.ts'
import { JOB_STATES, type JobChoice, type JobRecord } from '../platform/jobs/port.ts'
import type { Command, Context, Option } from './command.ts'
import { choice, id } from './values.ts'

const ONE: Option = { about: 'The job', value: 'id' }
const FAILED_OF: Option = { about: 'All failed jobs of a queue', value: 'name' }

/** Work in the background: what waits, runs or has failed, and what becomes of that. */
export const jobCommands: Command[] = [
  {
    name: 'jobs list',
    about: 'List the jobs in the background with their state and last error',
    options: {
      queue: { about: 'Only of this queue', value: 'name' },
      state: { about: `Only ${JOB_STATES.join(', ')}`, value: 'state' },
    },
    run: ({ jobs, optional }) => {
      const state = optional('state')
      return jobs.list({
        queue: optional('queue'),
        state: state === undefined ? undefined : choice('state', state, JOB_STATES),
      })
    },
  },
  {
    name: 'jobs retry',
    about: 'Have failed jobs done again, with all their tries before them',
    options: { job: ONE, queue: FAILED_OF },
    run: async (context) => {
      const asked = chosen(context)
      const retried = await context.jobs.retry(asked)
      if (retried.length === 0 && 'id' in asked) throw await whyNot(asked.id, context)
      return { retried: idsOf(retried) }
    },
  },
  {
    name: 'jobs drop',
    about: 'Forget jobs: what they were to do is not done; one that runs is broken off',
    options: { job: ONE, queue: FAILED_OF },
    run: async (context) => {
      const asked = chosen(context)
      const dropped = await context.jobs.drop(asked)
      if (dropped.length === 0 && 'id' in asked) throw await whyNot(asked.id, context)
      return { dropped: idsOf(dropped) }
    },
  },
]

const idsOf = (jobs: JobRecord[]) => jobs.map((job) => job.id)

function chosen({ optional }: Context): JobChoice {
  const [job, queue] = [optional('job'), optional('queue')]
  if (job !== undefined && queue === undefined) return { id: id('job', job) }
  if (queue !== undefined && job === undefined) return { failedOf: queue }
  throw new StartupError('name either a job with --job, or with --queue a queue whose failed jobs are meant.')
}

async function whyNot(jobId: number, { jobs }: Context): Promise<StartupError> {
  const isThere = (await jobs.list({})).some((job) => job.id === jobId)
  return new StartupError(
    isThere
      ? `job ${jobId} is running. It is tried again by itself where it fails.`
      : `there is no job ${jobId}. See: npm run marquee -- jobs list`,
  )
}
