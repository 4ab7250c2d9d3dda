import { useQuery } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { Button, IconButton } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { ChoiceBox } from '../../components/lazy-choice-box.tsx'
import { useProject } from '../../session/use-project.ts'
import { isPressed } from '../../shortcuts/shortcuts.ts'
import { words } from '../../words.ts'
import { FilterEditor } from './filter-editor.tsx'
import { type DraftStep, replaced, without } from './funnel-steps.ts'
import { valuesQuery } from './queries.ts'
import styles from './step-editor.module.css'
import { useLooked } from './use-looked.ts'

const text = words.analytics.funnel

interface StepEditorProps {
  step: DraftStep
  index: number
  count: number
  onEdit: (step: DraftStep) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

/** A step: what it is called, which event it is, and what must be true of that event. */
export function StepEditor({ step, index, count, onEdit, onMove, onRemove }: StepEditorProps) {
  const { projectId } = useProject()
  const { looked } = useLooked()
  const { data: kinds } = useQuery(valuesQuery(projectId, looked, {}))
  const { data: ofKind } = useQuery(
    valuesQuery(projectId, looked, step.kind in words.analytics.kinds ? { kind: step.kind } : {}),
  )
  const edit = (changes: Partial<DraftStep>) => onEdit({ ...step, ...changes })
  const counts = new Map(kinds?.event_types.map(({ event_type, count }) => [event_type, count]))
  const offered = Object.entries(words.analytics.kinds)
    .map(([value, label]) => ({ value, label, count: counts.get(value) ?? 0 }))
    .sort((a, b) => b.count - a.count)

  function onKeyDown(event: KeyboardEvent): void {
    const isUp = isPressed(event, 'stepUp')
    if (!isUp && !isPressed(event, 'stepDown')) return
    event.preventDefault()
    event.stopPropagation()
    onMove(isUp ? -1 : 1)
  }

  return (
    <li className={styles.step} data-step={index}>
      <fieldset onKeyDownCapture={onKeyDown}>
        <legend className="visually-hidden">{text.step(index + 1)}</legend>
        <div className={styles.head}>
          <span className={styles.number} aria-hidden="true">
            {index + 1}
          </span>
          <span className={styles.moves}>
            <IconButton
              label={text.up}
              icon="chevron"
              data-move="-1"
              className={styles.up!}
              disabled={index === 0}
              onClick={() => onMove(-1)}
            />
            <IconButton
              label={text.down}
              icon="chevron"
              data-move="1"
              disabled={index === count - 1}
              onClick={() => onMove(1)}
            />
            <IconButton label={text.removeStep} icon="trash" disabled={count === 1} onClick={onRemove} />
          </span>
        </div>
        <div className={styles.pair}>
          <Field
            label={text.name}
            value={step.name}
            maxLength={200}
            placeholder={words.analytics.kinds[step.kind] ?? ''}
            onChange={({ target }) => edit({ name: target.value })}
          />
          <ChoiceBox
            label={text.kind}
            placeholder={text.chooseKind}
            value={step.kind}
            choices={offered}
            onChoose={(kind) => edit({ kind, filters: kind === step.kind ? step.filters : [] })}
          />
        </div>
        {step.filters.map((filter, i) => (
          <FilterEditor
            key={i}
            kind={step.kind}
            filter={filter}
            fields={(ofKind?.fields ?? []).filter(
              (field) => field === filter.field || !step.filters.some((other) => other.field === field),
            )}
            onEdit={(edited) => edit({ filters: replaced(step.filters, i, edited) })}
            onRemove={() => edit({ filters: without(step.filters, i) })}
          />
        ))}
        {step.kind && (
          <Button
            kind="quiet"
            icon="plus"
            className={styles.add!}
            onClick={() => edit({ filters: [...step.filters, { field: '', value: '' }] })}
          >
            {text.addFilter}
          </Button>
        )}
      </fieldset>
    </li>
  )
}
