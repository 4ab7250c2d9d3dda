import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ChartFrame } from '../../components/chart-frame.tsx'
import { Failure } from '../../components/failure.tsx'
import { InlineSelect } from '../../components/inline-select.tsx'
import { Page } from '../../components/page.tsx'
import { RangeBar } from '../../components/range-bar.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatHourSpan, formatNumber, formatShare } from '../../format.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { FunnelChart, funnelData } from './funnel-chart.tsx'
import {
  type DraftStep,
  MOST_STEPS,
  replaced,
  stepsToAsk,
  swapped,
  useSteps,
  without,
} from './funnel-steps.ts'
import styles from './funnels-page.module.css'
import { AnalyticsGate } from './gate.tsx'
import { type Funnel, funnelQuery } from './queries.ts'
import stepStyles from './step-editor.module.css'
import { StepEditor } from './step-editor.tsx'
import { Tabs } from './tabs.tsx'
import { useLooked } from './use-looked.ts'

const text = words.analytics.funnel
const WINDOWS = Object.keys(text.windows)

export function FunnelsPage() {
  return (
    <Page title={words.nav.analytics}>
      <Tabs />
      <AnalyticsGate>
        <Builder />
      </AnalyticsGate>
    </Page>
  )
}

function Builder() {
  const { projectId } = useProject()
  const { looked, ranges, search, change } = useLooked()
  const [steps, edit] = useSteps()
  const window = WINDOWS.find((hours) => hours === String(search.window)) ?? '0'
  const asked = useSettled(useMemo(() => stepsToAsk(steps), [steps]))
  const {
    data: funnel,
    error,
    refetch,
  } = useQuery({
    ...funnelQuery(projectId, looked, asked ?? [], Number(window)),
    enabled: asked !== undefined,
  })
  const data = useMemo(() => funnel && funnelData(funnel), [funnel])
  return (
    <>
      <RangeBar range={looked} ranges={ranges}>
        <InlineSelect
          label={text.window}
          value={window}
          choices={WINDOWS.map((hours) => [hours, text.windows[hours]!] as const)}
          onChoose={(hours) => change({ window: hours === '0' ? undefined : hours })}
        />
      </RangeBar>
      <div className={styles.builder}>
        <Steps steps={steps} edit={edit} />
        <ChartFrame title={text.title} text={text.text} file="funnel" data={data}>
          {asked === undefined ? (
            <p className={styles.note}>{text.incomplete}</p>
          ) : error ? (
            <Failure error={error} reset={refetch} />
          ) : !funnel ? (
            <Skeleton height={400} />
          ) : funnel.total_users === 0 ? (
            <p className={styles.note}>{text.nobody}</p>
          ) : (
            <>
              <p className={styles.summary} role="status">
                {summaryOf(funnel)}
              </p>
              <FunnelChart funnel={funnel} />
            </>
          )}
        </ChartFrame>
      </div>
    </>
  )
}

function summaryOf(funnel: Funnel): string {
  const { completion_rate, completed_users, total_users, average_time_hours, steps } = funnel
  const all = text.completed(
    formatShare(completion_rate),
    formatNumber(completed_users),
    formatNumber(total_users),
  )
  const isTimed = steps.length > 1 && completed_users > 0
  return isTimed ? `${all}, ${text.in(formatHourSpan(average_time_hours))}` : all
}

interface StepsProps {
  steps: DraftStep[]
  edit: (change: (steps: DraftStep[]) => DraftStep[]) => void
}

function Steps({ steps, edit }: StepsProps) {
  const list = useRef<HTMLOListElement>(null)
  const [said, setSaid] = useState('')
  const [focus, setFocus] = useState<{ step: number; by: 1 | -1 }>()

  function move(from: number, by: 1 | -1): void {
    const to = from + by
    if (to < 0 || to >= steps.length) return
    edit((before) => swapped(before, from, to))
    setSaid(text.moved(steps[from]!.name || text.step(from + 1), to + 1, steps.length))
    setFocus({ step: to, by })
  }

  // The key that moved a step moves it on: what has the focus goes along with the step.
  useEffect(() => {
    if (!focus) return
    const step = list.current?.querySelector(`[data-step="${focus.step}"]`)
    const buttons = [focus.by, -focus.by].map((by) =>
      step?.querySelector<HTMLButtonElement>(`[data-move="${by}"]`),
    )
    buttons.find((button) => button && !button.disabled)?.focus()
    setFocus(undefined)
  }, [focus])

  return (
    <section className={styles.steps} aria-label={text.steps}>
      <h2>{text.steps}</h2>
      <ol ref={list} className={stepStyles.steps}>
        {steps.map((step, i) => (
          <StepEditor
            key={i}
            step={step}
            index={i}
            count={steps.length}
            onEdit={(edited) => edit((before) => replaced(before, i, edited))}
            onMove={(by) => move(i, by)}
            onRemove={() => edit((before) => without(before, i))}
          />
        ))}
      </ol>
      <div className={styles.add}>
        <Button
          icon="plus"
          disabled={steps.length >= MOST_STEPS}
          onClick={() => edit((before) => [...before, { name: '', kind: '', filters: [] }])}
        >
          {text.addStep}
        </Button>
        <p className={styles.note}>{text.keys}</p>
      </div>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </section>
  )
}

/** What somebody is typing is asked for once they pause. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 250)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
