import type { ReactNode } from 'react'
import { type Data, download } from '../csv.ts'
import { useAddress } from '../use-address.ts'
import { words } from '../words.ts'
import { Button } from './button.tsx'
import styles from './chart-frame.module.css'
import { DataTable } from './data-table.tsx'

interface ChartFrameProps {
  title: string
  /** A sentence below the title. */
  text?: string
  /** Absent while it is loaded. */
  data: Data | undefined
  /** The file's name, without its ending. */
  file: string
  /** What the address calls it, where the file's name says more. */
  id?: string
  /** More to choose beside the table and the file. */
  actions?: ReactNode
  /** Whether a table is all there is. */
  isTable?: boolean
  children?: ReactNode
}

/** One question: its chart, the same numbers as a table, and as a file. */
export function ChartFrame({
  title,
  text,
  data,
  file,
  id = file,
  actions,
  isTable,
  children,
}: ChartFrameProps) {
  const { search, change } = useAddress()
  const asTable = tablesIn(search).includes(id)
  function toggle() {
    const tables = tablesIn(search)
    const next = asTable ? tables.filter((one) => one !== id) : [...tables, id]
    change({ tables: next.join() || undefined }, false)
  }
  const hasRows = data !== undefined && data.rows.length > 0
  return (
    <section className={styles.frame} aria-label={title}>
      <header className={styles.header}>
        <h2>{title}</h2>
        <div className={styles.actions}>
          {actions}
          {!isTable && (
            <Button
              kind="quiet"
              aria-label={words.analytics.table(title)}
              aria-pressed={asTable}
              disabled={!hasRows}
              onClick={toggle}
            >
              {asTable ? words.common.asChart : words.common.asTable}
            </Button>
          )}
          <Button
            kind="quiet"
            aria-label={words.analytics.csv(title)}
            disabled={!hasRows}
            onClick={() => data && download(file, data)}
          >
            {words.common.asCsv}
          </Button>
        </div>
      </header>
      {text && <p className={styles.text}>{text}</p>}
      {asTable && hasRows ? <DataTable data={data} caption={title} /> : children}
    </section>
  )
}

/** Which charts are tables, by their names, as the address has them. */
const tablesIn = ({ tables }: Record<string, unknown>): string[] =>
  typeof tables === 'string' ? tables.split(',') : []
