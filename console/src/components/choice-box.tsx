import { Combobox } from '@base-ui/react/combobox'
import { useId, useState } from 'react'
import { formatNumber } from '../format.ts'
import { words } from '../words.ts'
import styles from './choice-box.module.css'
import { Icon } from './icons.tsx'

export interface Choice {
  value: string
  label: string
  count?: number
}

export interface ChoiceBoxProps {
  label: string
  value: string
  choices: Choice[]
  placeholder?: string
  onChoose: (value: string) => void
  /** Told what is typed, where there is more to choose from than is known here. */
  onTyped?: (typed: string) => void
  /** Whether what is typed may be chosen as it is. */
  isOpen?: boolean
  /** Whether to choose nothing is a choice. */
  isOptional?: boolean
}

/** An input that offers what there is in the data. */
export function ChoiceBox(props: ChoiceBoxProps) {
  const { label, value, choices, placeholder, onChoose, onTyped, isOpen, isOptional } = props
  const id = useId()
  const [typed, setTyped] = useState('')
  const chosen = value ? (choices.find((choice) => choice.value === value) ?? { value, label: value }) : null
  const isKnown = choices.some((choice) => choice.value === typed || choice.label === typed)
  const extra = isOpen && typed && !isKnown && typed !== chosen?.label ? [{ value: typed, label: typed }] : []
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Combobox.Root
        items={[...choices, ...extra]}
        value={chosen}
        autoHighlight
        isItemEqualToValue={(one: Choice, other: Choice) => one.value === other.value}
        filter={(choice: Choice, query: string) => matches(choice, query)}
        onValueChange={(choice: Choice | null) => onChoose(choice?.value ?? '')}
        onInputValueChange={(text: string, { reason }) => {
          const query = reason === 'input-change' ? text : ''
          setTyped(query)
          onTyped?.(query)
        }}
      >
        <div className={styles.control}>
          <Combobox.Input id={id} className={styles.input!} placeholder={placeholder} />
          {isOptional && value ? (
            <Combobox.Clear className={styles.button!} aria-label={`${words.analytics.clear}: ${label}`}>
              <Icon name="close" />
            </Combobox.Clear>
          ) : (
            <Combobox.Trigger className={styles.button!} aria-label={label} tabIndex={-1}>
              <Icon name="chevron" />
            </Combobox.Trigger>
          )}
        </div>
        <Combobox.Portal>
          <Combobox.Positioner sideOffset={4} className={styles.positioner!}>
            <Combobox.Popup className={styles.popup!}>
              <Combobox.Empty className={styles.empty!}>{words.analytics.nothingFound}</Combobox.Empty>
              <Combobox.List>
                {(choice: Choice) => (
                  <Combobox.Item key={choice.value} value={choice} className={styles.item!}>
                    <span>{choice.label}</span>
                    <small>
                      {choice.count === undefined
                        ? extra.includes(choice) && words.analytics.asTyped
                        : formatNumber(choice.count)}
                    </small>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </div>
  )
}

function matches({ value, label }: Choice, query: string): boolean {
  const typed = query.trim().toLowerCase()
  return label.toLowerCase().includes(typed) || value.toLowerCase().startsWith(typed)
}
