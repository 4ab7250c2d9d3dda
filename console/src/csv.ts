import { saveFile } from './save-file.ts'

export type Cell = string | number

/** A column: its name, and how people see what is in it. A file has the numbers and times themselves. */
export interface Column {
  label: string
  /** What it is called in a file, where its numbers there need their unit. */
  inFile?: string
  show?: (value: number) => string
  showText?: (value: string) => string
}

export interface Data {
  columns: Column[]
  rows: Cell[][]
}

/** As RFC 4180 has it. */
function csvOf({ columns, rows }: Data): string {
  const lines = [columns.map(({ label, inFile }) => inFile ?? label), ...rows]
  return lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('')
}

/** Text comes from events, which anybody sends: a sheet must not take it for a formula. */
function quoted(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function download(name: string, data: Data): void {
  // The mark at the beginning tells sheets that it is UTF-8.
  saveFile(`${name}.csv`, new Blob(['\ufeff', csvOf(data)], { type: 'text/csv;charset=utf-8' }))
}
