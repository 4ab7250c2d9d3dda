import type { Cell, Column, Data } from '../csv.ts'
import { words } from '../words.ts'
import styles from './data-table.module.css'

/** Numbers stand to the right, below each other; a wide table scrolls by itself. */
export function DataTable({ data, caption }: { data: Data; caption: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keys too.
    <section className={styles.scroller} tabIndex={0} aria-label={words.analytics.table(caption)}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {data.columns.map(({ label }, i) => (
              <th key={label} scope="col" data-number={isNumber(data, i) || undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, j) =>
                j === 0 ? (
                  <th key={data.columns[j]!.label} scope="row">
                    {shown(cell, data.columns[j]!)}
                  </th>
                ) : (
                  <td key={data.columns[j]!.label} data-number={typeof cell === 'number' || undefined}>
                    {shown(cell, data.columns[j]!)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const isNumber = ({ rows }: Data, column: number): boolean => typeof rows[0]?.[column] === 'number'

function shown(cell: Cell, { show, showText }: Column): string {
  if (typeof cell === 'number') return show?.(cell) ?? String(cell)
  return showText?.(cell) ?? cell
}
