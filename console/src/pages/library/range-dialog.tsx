import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { formatTimecode, parseTimecode } from '../../timecode.ts'
import { words } from '../../words.ts'
import styles from './range-dialog.module.css'
import { parseRange, type Range, type Ranged, rangeText } from './ranges.ts'

const text = words.library.range

interface RangeDialogProps {
  name: Ranged
  /** What is asked for already. */
  value: string
  onClose(): void
  /** Nothing: any. */
  onChange(value: string): void
}

/** Asks for a range of lengths, days or sizes that is not among the choices. */
export function RangeDialog({ name, value, onClose, onChange }: RangeDialogProps) {
  const known = parseRange(name, value) ?? { from: '', to: '' }
  const shown = (one: string) => (name === 'length' && one ? formatTimecode(Number(one)) : one)

  async function submit(form: FormData): Promise<void> {
    const range: Range = { from: read(name, form.get('from')), to: read(name, form.get('to')) }
    const written = rangeText(range)
    if (written && !parseRange(name, written)) throw new Error(text.invalid[name])
    if (range.from && range.to && isAbove(name, range)) throw new Error(text.turned)
    onChange(written)
  }

  const type = name === 'date' ? 'date' : 'text'
  return (
    <FormDialog
      title={words.library[name].label}
      submit={text.apply}
      isOpen
      onClose={onClose}
      onSubmit={submit}
    >
      <div className={styles.fields}>
        {(['from', 'to'] as const).map((end) => (
          <Field
            key={end}
            label={text.ends[end]}
            name={end}
            type={type}
            inputMode={name === 'size' ? 'decimal' : undefined}
            defaultValue={shown(known[end])}
            autoFocus={end === 'from'}
            autoComplete="off"
          />
        ))}
      </div>
      <p className={styles.hint}>{text.hint[name]}</p>
    </FormDialog>
  )
}

function read(name: Ranged, given: FormDataEntryValue | null): string {
  const typed = String(given ?? '').trim()
  if (!typed || name === 'date') return typed
  if (name === 'size') return typed.replace(',', '.')
  const seconds = parseTimecode(typed)
  return seconds === undefined ? typed : String(Math.round(seconds * 1000) / 1000)
}

const isAbove = (name: Ranged, { from, to }: Range): boolean =>
  name === 'date' ? from > to : Number(from) > Number(to)
