import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

// While an installation is brought to a new version, processes of the version before go on with its tables.

/** The last that came before this rule: nobody is on a version of before any more. */
const EXEMPT = 41
const FOLDER = path.join(import.meta.dirname, '../../migrations')

/** What statements of the version before may fail by. */
const BREAKING: [what: string, pattern: RegExp][] = [
  ['drops', /\bdrop\s+(table|view|materialized\s+view|column|function|type)\b/],
  [
    'drops a column',
    /\balter\s+table\b[^;]*\bdrop\s+(?!column\b|constraint\b|not\b|default\b|expression\b|identity\b)\w/,
  ],
  ['renames', /\balter\s+(table|view|function|type)\b[^;]*\brename\b/],
  ['changes a type', /\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b(?!\s+\w+\s+(add|rename))/],
  ['asks for a value that was optional', /\balter\s+(column\s+)?\w+\s+set\s+not\s+null\b/],
  ['takes a default away', /\balter\s+(column\s+)?\w+\s+drop\s+default\b/],
]
/** A column that old statements leave out has to have a value without them. */
const ADDED =
  /\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(?!constraint\b|primary\b|unique\b|check\b|foreign\b)\w+\s+[^,;]*?\bnot\s+null\b[^,;]*/g

/** How a file says that what it takes away is no longer used: since the version that came with an earlier one. */
const UNUSED = /^-- unused since (\d{4})$/m

function breaks(statements: string, number = 9999): string[] {
  const since = Number(UNUSED.exec(statements)?.[1] ?? number)
  if (since < number) return []
  const bare = statements
    .replace(/--.*$/gm, '')
    .replace(/\$\$.*?\$\$/gs, '$$$$')
    .toLowerCase()
  const found = BREAKING.filter(([, pattern]) => pattern.test(bare)).map(([what]) => what)
  const isBare = (added: string) => !/\b(default|generated)\b/.test(added)
  return (bare.match(ADDED) ?? []).some(isBare) ? [...found, 'adds a column without a default'] : found
}

test('a migration takes nothing away that the version before uses', () => {
  const files = readdirSync(FOLDER).filter((name) => /^\d{4}_/.test(name))
  expect(files.length).toBeGreaterThan(30)
  for (const name of files.filter((one) => Number(one.slice(0, 4)) > EXEMPT))
    expect(breaks(readFileSync(path.join(FOLDER, name), 'utf8'), Number(name.slice(0, 4))), name).toEqual([])
})

test.each([
  ['alter table posts drop column title;', 'drops'],
  ['alter table posts\n  drop title;', 'drops a column'],
  ['drop table if exists posts;', 'drops'],
  ['alter table feed_blocks rename column first_id to first_place;', 'renames'],
  ['alter table loose_objects rename to orphaned_objects;', 'renames'],
  ['alter type post_change rename attribute id to place;', 'renames'],
  ['alter table posts alter column title type int;', 'changes a type'],
  ['alter table posts alter title set not null;', 'asks for a value that was optional'],
  ['alter table posts alter title drop default;', 'takes a default away'],
  ['alter table posts add column title text not null;', 'adds a column without a default'],
  ['alter table posts add a int not null default 0, add b int not null;', 'adds a column without a default'],
])('refused: %s', (statement, what) => {
  expect(breaks(statement)).toContain(what)
})

test.each([
  "alter table posts add column title text not null default '';",
  'alter table posts add column title text, drop constraint posts_check;',
  'alter table posts add constraint named check (title is not null);',
  'create table titles (id text primary key, title text not null);',
  'create or replace function f() returns void language plpgsql as $$ begin drop table t; end $$;',
  'drop index posts_by_title; -- drop table posts',
  'alter table posts alter column title drop not null;',
  '-- unused since 0042\nalter table posts drop column title;',
])('let through: %s', (statement) => {
  expect(breaks(statement)).toEqual([])
})
