import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useId, useMemo, useRef, useState } from 'react'
import { afterPaint } from '../../after-paint.ts'
import { messageOf } from '../../api.ts'
import { Icon } from '../../components/icons.tsx'
import { RequestId } from '../../components/request-id.tsx'
import { useProject } from '../../session/use-project.ts'
import { Keys } from '../../shortcuts/keys.tsx'
import { isPressed } from '../../shortcuts/shortcuts.ts'
import { words } from '../../words.ts'
import type { CommandsProps } from './commands.tsx'
import { isMatch, sorted } from './match.ts'
import styles from './palette.module.css'
import { keepRecent, recentOf } from './recent.ts'
import { type Command, type GroupId, useCommands } from './use-commands.ts'
import { useFound, useOpenItem } from './use-found.ts'

const text = words.commands

interface Group {
  value: GroupId
  items: Command[]
}

/** Reaches every page, item and action by a few letters. */
export function Palette({ onOpen, typedEarly }: Pick<CommandsProps, 'onOpen' | 'typedEarly'>) {
  const { projectId } = useProject()
  const [typed, setTyped] = useState('')
  const commands = useCommands(onOpen)
  const recent = useRecent(commands)
  const found = useFound(typed)
  const input = useRef<HTMLInputElement>(null)
  const hintId = useId()
  /** What is opened takes the focus itself. */
  const isLedOn = useRef(false)
  const groups = useMemo(
    () => (typed.trim() ? matching(commands, found.commands, typed) : unasked(commands, recent)),
    // Commands are made anew with each turn; what they are made of is not.
    [typed, found.commands.map(({ id }) => id).join(), commands.length, recent],
  )

  function takeEarly(): void {
    const early = typedEarly.current
    typedEarly.current = ''
    if (early) setTyped((now) => now + early)
  }

  function choose({ id, group, item, run }: Command): void {
    // What is of this page is done once the palette is gone and has given the focus back to it.
    if (group === 'page') {
      onOpen(undefined)
      afterPaint(run)
      return
    }
    keepRecent({ id, projectId, ...(item && { item }) })
    isLedOn.current = item?.kind === 'post' || item?.kind === 'setting'
    onOpen(undefined)
    // It may open a dialog in the palette's place.
    run()
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onOpen(undefined)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop!} />
        <Dialog.Popup
          className={styles.palette!}
          aria-label={text.title}
          initialFocus={input}
          finalFocus={() => !isLedOn.current}
          onKeyDown={(event) => {
            if (!isPressed(event, 'palette')) return
            event.preventDefault()
            onOpen(undefined)
          }}
        >
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={groups}
            value={typed}
            onValueChange={setTyped}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={({ title }: Command) => title}
          >
            <div className={styles.head}>
              <Icon name="search" />
              <Autocomplete.Input
                ref={input}
                className={styles.input!}
                placeholder={text.placeholder}
                aria-label={text.title}
                aria-describedby={hintId}
                maxLength={200}
                onFocus={takeEarly}
              />
              <Dialog.Close className={styles.close!}>
                <span className="visually-hidden">{words.common.close} </span>
                <Keys keys="Escape" />
              </Dialog.Close>
            </div>
            <span id={hintId} className="visually-hidden">
              {text.hint}
            </span>
            <div className={styles.scroll}>
              <Autocomplete.Empty className={styles.empty!}>
                {found.isPending ? text.searching : text.none}
              </Autocomplete.Empty>
              <Autocomplete.List>
                {(group: Group) => (
                  <Autocomplete.Group key={group.value} items={group.items} className={styles.group!}>
                    <Autocomplete.GroupLabel className={styles.label!}>
                      {text.groups[group.value]}
                    </Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(command: Command) => (
                        <Autocomplete.Item
                          key={command.id}
                          value={command}
                          className={styles.item!}
                          onClick={() => choose(command)}
                        >
                          <Icon name={command.icon} />
                          <span>{command.title}</span>
                          {command.keys && <Keys keys={command.keys} />}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
              {found.error ? (
                <div className={styles.failed} role="alert">
                  <p>
                    {text.failed} {messageOf(found.error)}
                  </p>
                  <RequestId error={found.error} />
                </div>
              ) : null}
            </div>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** What was opened last. A page that somebody may not see any more is not among the commands, and so not here. */
function useRecent(commands: Command[]): Command[] {
  const { projectId } = useProject()
  const open = useOpenItem()
  const [kept] = useState(() => recentOf(projectId))
  return useMemo(
    () =>
      kept.flatMap((recent) => {
        const command = recent.item
          ? open(recent.id, recent.item)
          : commands.find(({ id }) => id === recent.id)
        return command ? [command] : []
      }),
    [kept],
  )
}

const ORDER: GroupId[] = [
  'page',
  'pages',
  'actions',
  'media',
  'feeds',
  'posts',
  'projects',
  'keys',
  'members',
  'policies',
  'webhooks',
  'signing-keys',
  'settings',
  'more',
]

function unasked(commands: Command[], recent: Command[]): Group[] {
  const known = new Set(recent.map(({ id }) => id))
  const rest = grouped(commands.filter(({ id }) => !known.has(id)))
  return recent.length > 0 ? [{ value: 'recent', items: recent }, ...rest] : rest
}

/** Where something is called exactly so, its group comes first. */
function matching(commands: Command[], found: Command[], typed: string): Group[] {
  const groups = grouped(sorted([...commands.filter((one) => isMatch(one, typed)), ...found], typed))
  const start = typed.trim().toLowerCase()
  const rank = ({ items }: Group) =>
    items.some(({ title }) => title.toLowerCase().startsWith(start)) ? 0 : 1
  return groups.sort((a, b) => rank(a) - rank(b))
}

function grouped(commands: Command[]): Group[] {
  return ORDER.map((value) => ({ value, items: commands.filter(({ group }) => group === value) })).filter(
    ({ items }) => items.length > 0,
  )
}
