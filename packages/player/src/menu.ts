import { appendElement } from './append-element.ts'
import { AUTO } from './engine.ts'
import { SPEEDS } from './keyboard.ts'
import type { Choice, Player, Rung } from './player.ts'

/** A screen on which a menu inside the player would cover all of it. */
const SMALL_SCREEN = '(max-width: 600px)'

interface Item {
  label: string
  isChosen: boolean
  choose(): void
}

interface Group {
  label: string
  items: Item[]
}

/** Portrait videos count by their shorter side. */
export const nameOfRung = ({ width, height }: Rung): string => `${Math.min(width, height)}p`

/**
 * The settings of a player: a menu of groups, each of which opens a menu of choices. On a small screen it is a sheet at the
 * lower edge of the screen, above everything else.
 */
export class SettingsMenu {
  readonly #menu: HTMLElement
  readonly #button: HTMLElement
  readonly #player: Player
  readonly #t: (text: string) => string
  #opened: number | undefined
  /** Of what is heard while it is open. */
  #life = new AbortController()
  onToggle: (isOpen: boolean) => void = () => {}

  constructor(menu: HTMLElement, button: HTMLElement, player: Player, t: (text: string) => string) {
    this.#menu = menu
    this.#button = button
    this.#player = player
    this.#t = t
    button.onclick = () => (this.isOpen ? this.close() : this.#open())
    menu.onkeydown = (event) => this.#key(event)
  }

  get isOpen(): boolean {
    return !this.#menu.hidden
  }

  close(): void {
    if (!this.isOpen) return
    this.#hide()
    this.#button.focus()
  }

  /** What can be chosen has changed. */
  update(): void {
    const groups = this.#groups()
    this.#button.hidden = groups.length === 0
    if (this.isOpen && this.#opened === undefined) this.#showGroups()
  }

  #open(): void {
    this.#menu.hidden = false
    if (this.#menu.showPopover && matchMedia(SMALL_SCREEN).matches) {
      this.#menu.popover = 'manual'
      this.#menu.showPopover()
    }
    this.#life = new AbortController()
    const { signal } = this.#life
    addEventListener('click', this.#click, { capture: true, signal })
    addEventListener('keydown', this.#escape, { capture: true, signal })
    this.#toggled()
    this.#showGroups()
    this.#focus()
  }

  #hide(): void {
    this.#life.abort()
    this.#menu.hidden = true
    this.#menu.popover = null
    this.#opened = undefined
    this.#toggled()
  }

  /**
   * A click beside the menu closes it and does nothing else. Asked by place, since a page may hide from its window what was
   * clicked; a key that presses a button has no place.
   */
  readonly #click = (event: MouseEvent): void => {
    const root = this.#menu.getRootNode() as ShadowRoot
    const clicked = root.elementFromPoint(event.clientX, event.clientY)
    if (event.detail === 0 || this.#menu.contains(clicked) || this.#button.contains(clicked)) return
    stop(event)
    this.#hide()
  }

  /** Heard from wherever the focus is: a touch may have taken it away. */
  readonly #escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    stop(event)
    this.close()
  }

  #toggled(): void {
    this.#button.ariaExpanded = String(this.isOpen)
    this.onToggle(this.isOpen)
  }

  #groups(): Group[] {
    const player = this.#player
    const t = this.#t
    const { video } = player
    const { rungs, rung, isAuto, audios, audio, subtitles, subtitle } = player.state
    const auto = isAuto && rungs[rung] ? `${t('Auto')} (${nameOfRung(rungs[rung])})` : t('Auto')
    const named = (choices: Choice[], chosen: number, choose: (i: number) => void): Item[] =>
      choices.map(({ label, language }, i) => ({
        label: label || language,
        isChosen: i === chosen,
        choose: () => choose(i),
      }))
    const all: Group[] = [
      {
        label: t('Quality'),
        items: [
          ...rungs
            .map((one, i) => ({
              label: nameOfRung(one),
              isChosen: !isAuto && i === rung,
              choose: () => player.chooseRung(i),
            }))
            .reverse(),
          { label: auto, isChosen: isAuto, choose: () => player.chooseRung(AUTO) },
        ],
      },
      {
        label: t('Speed'),
        items: SPEEDS.map((speed) => ({
          label: speed === 1 ? t('Normal') : `${speed}×`,
          isChosen: video.playbackRate === speed,
          choose: () => {
            video.playbackRate = speed
          },
        })),
      },
      { label: t('Audio'), items: named(audios, audio, (i) => player.chooseAudio(i)) },
      {
        label: t('Subtitles'),
        items: [
          { label: t('Off'), isChosen: subtitle < 0, choose: () => player.chooseSubtitle(-1) },
          ...named(subtitles, subtitle, (i) => player.chooseSubtitle(i)),
        ],
      },
    ]
    // One rung beside "auto", one sound, or no subtitles are nothing to choose from.
    return all.filter(({ items }, i) => items.length > (i === 0 ? 2 : 1))
  }

  #showGroups(): void {
    this.#opened = undefined
    this.#menu.ariaLabel = this.#t('Settings')
    const buttons = this.#groups().map(({ label, items }, i) => {
      const button = itemOf('menuitem', label, () => this.#showGroup(i))
      button.ariaHasPopup = 'menu'
      appendElement(button, 'span', {
        part: 'value',
        textContent: items.find(({ isChosen }) => isChosen)?.label ?? '',
      })
      return button
    })
    this.#fill(buttons)
  }

  #showGroup(number: number): void {
    const { label, items } = this.#groups()[number]!
    this.#opened = number
    this.#menu.ariaLabel = label
    const back = itemOf('menuitem', label, () => this.#back())
    back.part.add('back')
    back.ariaLabel = `${this.#t('Back')}: ${label}`
    const choices = items.map(({ label, isChosen, choose }) => {
      const button = itemOf('menuitemradio', label, () => {
        choose()
        this.#back()
      })
      button.ariaChecked = String(isChosen)
      return button
    })
    this.#fill([back, ...choices])
    this.#focus(choices.findIndex(({ ariaChecked }) => ariaChecked === 'true') + 1)
  }

  #back(): void {
    const number = this.#opened ?? 0
    this.#showGroups()
    this.#focus(number)
  }

  #fill(buttons: HTMLElement[]): void {
    // What has the focus must not leave before another has it: keys would go nowhere.
    const old = [...this.#menu.children]
    this.#menu.append(...buttons)
    if (old.some((one) => one.matches(':focus'))) buttons[0]?.focus()
    for (const one of old) one.remove()
  }

  #focus(number = 0): void {
    const items = this.#menu.children
    const item = items[(number + items.length) % items.length] as HTMLElement | undefined
    item?.focus()
  }

  #key(event: KeyboardEvent): void {
    const items = [...this.#menu.children]
    const current = items.findIndex((item) => item.matches(':focus'))
    const isRtl = getComputedStyle(this.#menu).direction === 'rtl'
    const [inward, outward] = isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    const { key } = event
    if (key === 'ArrowDown') this.#focus(current + 1)
    else if (key === 'ArrowUp') this.#focus(current - 1)
    else if (key === 'Home') this.#focus(0)
    else if (key === 'End') this.#focus(-1)
    else if (key === inward && this.#opened === undefined) (items[current] as HTMLElement)?.click()
    else if (key === outward && this.#opened !== undefined) this.#back()
    else if (key === 'Tab') this.#hide()
    else if (key !== 'Enter' && key !== ' ') return
    event.stopPropagation()
    // Buttons are pressed by these, and left by Tab, which they do by themselves.
    if (!['Enter', ' ', 'Tab'].includes(key)) event.preventDefault()
  }
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

function itemOf(role: string, label: string, onclick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', role, textContent: label, onclick, tabIndex: -1 })
  button.part.add('menu-item')
  return button
}
