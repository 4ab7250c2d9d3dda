import { useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ChartFrame } from '../../components/chart-frame.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ChartSkeleton, LazyChart } from '../../components/lazy-chart.tsx'
import { ChoiceBox } from '../../components/lazy-choice-box.tsx'
import { Meter } from '../../components/meter.tsx'
import { ShortId } from '../../components/short-id.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { type Column, Table } from '../../components/table.tsx'
import type { Data } from '../../csv.ts'
import { formatNumber, formatShare } from '../../format.ts'
import { words } from '../../words.ts'
import { Opener } from './opener.tsx'
import type { Specimen } from './specimen.ts'

interface Row {
  name: string
  state: string
  views: number
}
const COLUMNS: Column<Row>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'State', cell: ({ state }) => <Badge kind="good">{state}</Badge> },
  { title: 'Views', cell: ({ views }) => formatNumber(views), isNumber: true },
]
const ROWS: Row[] = [
  { name: 'harbour.mp4', state: 'ready', views: 1204 },
  { name: 'pier.mp4', state: 'ready', views: 87 },
]
const table = { label: 'Films', columns: COLUMNS, keyOf: ({ name }: Row) => name }

const DAY = 86_400_000
const TIMES = Array.from({ length: 14 }, (_, day) => Date.UTC(2026, 0, 1) + day * DAY)
const VIEWS = [12, 18, 9, 30, 44, 41, 38, 52, 61, 57, 73, 70, 88, 94]
const DATA: Data = {
  columns: [{ label: 'Film' }, { label: 'Views', show: formatNumber }],
  rows: ROWS.map(({ name, views }) => [name, views]),
}
const CHOICES = [
  { value: 'de', label: 'Germany', count: 1204 },
  { value: 'fr', label: 'France', count: 87 },
]
const meter = (part: number) => (
  <div style={{ width: 240 }}>
    <Meter label="Storage" value={part} limit={1} text={formatShare(part)} />
  </div>
)

/** What shows rows, numbers and secrets. */
export const DATA_SPECIMENS: Specimen[] = [
  {
    name: 'Table',
    states: [
      {
        state: 'default',
        shown: <Table {...table} rows={ROWS} actions={() => <Button kind="quiet">Open</Button>} />,
      },
      { state: 'loading', shown: <Table {...table} rows={undefined} /> },
      { state: 'empty', shown: <Table {...table} rows={[]} empty={<p>No films yet</p>} /> },
    ],
  },
  {
    name: 'ChartFrame, DataTable',
    states: [
      {
        state: 'default',
        shown: (
          <ChartFrame title="Films" data={DATA} file="films">
            <p>{words.gallery.sample}</p>
          </ChartFrame>
        ),
      },
      { state: 'loading', shown: <ChartFrame title="Pictures" data={undefined} file="pictures" isTable /> },
      { state: 'DataTable', shown: <DataTable data={DATA} caption="Some films" /> },
    ],
  },
  {
    name: 'TimeChart',
    states: [
      {
        state: 'default',
        shown: (
          <div style={{ width: '100%' }}>
            <LazyChart
              label="Views"
              xLabel="Day"
              yLabel="Views"
              interval="day"
              times={TIMES}
              series={[
                { label: 'These days', values: VIEWS },
                { label: 'The days before', values: VIEWS.map((views) => views / 2), isFaint: true },
              ]}
              show={formatNumber}
              showTick={formatNumber}
              height={200}
            />
          </div>
        ),
      },
      {
        state: 'loading',
        shown: (
          <div style={{ width: '100%' }}>
            <ChartSkeleton height={200} />
          </div>
        ),
      },
    ],
  },
  {
    name: 'Meter',
    states: [
      { state: 'default', shown: meter(0.42) },
      { state: 'nearly full', shown: meter(0.86) },
      { state: 'full', shown: meter(1) },
    ],
  },
  {
    name: 'ChoiceBox',
    states: [
      { state: 'empty', shown: <ChoiceBoxSample chosen="" /> },
      { state: 'chosen', shown: <ChoiceBoxSample chosen="de" /> },
    ],
  },
  {
    name: 'ShortId, ShownOnce',
    states: [
      { state: 'an id', shown: <ShortId id="key_01k9qxyzabcdefghjkmnpqrstv" /> },
      { state: 'a secret', shown: <ShownOnceSample /> },
    ],
  },
]

function ChoiceBoxSample({ chosen }: { chosen: string }) {
  const [value, setValue] = useState(chosen)
  return (
    <ChoiceBox
      label="Country"
      value={value}
      choices={CHOICES}
      placeholder="All countries"
      onChoose={setValue}
      isOptional
    />
  )
}

function ShownOnceSample() {
  return (
    <Opener label="Show a secret">
      {(isOpen, close) => (
        <ShownOnce
          title="A secret"
          about={words.gallery.sample}
          text={isOpen ? 'sk_…' : undefined}
          onClose={close}
        />
      )}
    </Opener>
  )
}
