import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { IconButton } from '../../components/button.tsx'
import { ChoiceBox } from '../../components/lazy-choice-box.tsx'
import { formatCountry } from '../../format.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { valuesQuery } from './queries.ts'
import styles from './step-editor.module.css'
import { useLooked } from './use-looked.ts'
import { isNamed, useNames } from './use-names.ts'

const text = words.analytics.funnel

interface Filter {
  field: string
  value: string
}

interface FilterEditorProps {
  kind: string
  filter: Filter
  fields: string[]
  onEdit: (filter: Filter) => void
  onRemove: () => void
}

/** A field of an event and what it must be, both offered from what has been sent. */
export function FilterEditor({ kind, filter, fields, onEdit, onRemove }: FilterEditorProps) {
  const { projectId } = useProject()
  const { looked } = useLooked()
  const [typed, setTyped] = useState('')
  const asked = { kind, field: filter.field, typed: useDeferredValue(typed) }
  const { data } = useQuery({ ...valuesQuery(projectId, looked, asked), enabled: Boolean(filter.field) })
  const values = (filter.field && data?.values) || []
  const nameOf = useNames(values.map(({ value }) => value))
  const labelOf = (value: string) => {
    if (isNamed(value)) return nameOf(value)
    return filter.field === 'country' ? formatCountry(value) : value
  }
  return (
    <div className={styles.filter}>
      <ChoiceBox
        label={text.field}
        value={filter.field}
        choices={fields.map((field) => ({ value: field, label: field }))}
        onChoose={(field) => onEdit({ field, value: field === filter.field ? filter.value : '' })}
      />
      <ChoiceBox
        label={text.valueOf}
        value={filter.value}
        choices={values.map(({ value, count }) => ({ value, count, label: labelOf(value) }))}
        onTyped={setTyped}
        onChoose={(value) => onEdit({ ...filter, value })}
        isOpen
      />
      <IconButton label={text.removeFilter} icon="close" onClick={onRemove} />
    </div>
  )
}
