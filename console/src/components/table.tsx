import type { ReactNode } from 'react'
import { useNamed } from '../use-named.ts'
import { words } from '../words.ts'
import { Skeleton } from './skeleton.tsx'
import styles from './table.module.css'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** Numbers stand to the right, below each other. */
  isNumber?: boolean
}

interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  /** Undefined until they are known. */
  rows: Row[] | undefined
  keyOf: (row: Row) => string
  /** What can be done with a row: buttons or a menu at its end. */
  actions?: (row: Row) => ReactNode
  /** In the place of the rows where there are none. */
  empty?: ReactNode
}

const EXPECTED = [0, 1, 2]

/** Rows of things; the first column names them. On narrow screens each is a block with its columns below each other. */
export function Table<Row>({ label, columns, rows, keyOf, actions, empty }: TableProps<Row>) {
  const { rowOf } = useNamed()
  if (rows?.length === 0 && empty) return empty
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label} aria-busy={!rows}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" data-number={isNumber || undefined}>
                {title}
              </th>
            ))}
            {actions && (
              <th scope="col" className={styles.end}>
                <span className="visually-hidden">{words.settings.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows.map((row) => (
                <tr key={keyOf(row)} {...rowOf(keyOf(row))}>
                  {columns.map(({ title, cell, isNumber }) => (
                    <td key={title} data-label={title} data-number={isNumber || undefined}>
                      <div className={styles.cell}>{cell(row)}</div>
                    </td>
                  ))}
                  {actions && <td className={styles.end}>{actions(row)}</td>}
                </tr>
              ))
            : EXPECTED.map((at) => (
                <tr key={at}>
                  {columns.map(({ title }) => (
                    <td key={title} data-label={title}>
                      <Skeleton width="70%" />
                    </td>
                  ))}
                  {actions && <td className={styles.end} />}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}
