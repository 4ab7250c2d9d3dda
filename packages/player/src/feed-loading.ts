import type { Refusal } from './index.ts'

const LONGEST_WAIT_MS = 8000

/** An answer that is the same however often it is asked for; also in an error of whoever reads in our place. */
export function isRefusal(error: unknown): boolean {
  const { status = 0 } = Object(error) as Partial<Refusal>
  return status >= 400 && status < 429
}

/** Reads one thing at a time. What fails for the moment is read again by itself, at once when the network is back. */
export class Loading {
  readonly #done: () => void
  #work: (() => Promise<void>) | undefined
  #isUnderWay = false
  #attempts = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Why nothing comes at the moment. */
  error: unknown

  /** `done` is called whenever something has come, or has failed. */
  constructor(done: () => void) {
    this.#done = done
    globalThis.addEventListener('online', this.retry)
  }

  get isRefused(): boolean {
    return isRefusal(this.error)
  }

  /** Does nothing while something is under way, or is waited for after it failed. */
  start(work: () => Promise<void>): void {
    if (this.#work) return
    this.#work = work
    this.#run()
  }

  readonly retry = (): void => {
    if (this.#work && !this.#isUnderWay) this.#run()
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer)
    const work = this.#work!
    this.#isUnderWay = true
    let error: unknown
    await work().catch((thrown) => {
      error = thrown ?? new Error()
    })
    this.#isUnderWay = false
    if (this.#work !== work) return
    this.error = error
    if (!error) {
      this.#work = undefined
      this.#attempts = 0
    } else if (!this.isRefused)
      this.#timer = setTimeout(this.retry, Math.min(1000 * 2 ** this.#attempts++, LONGEST_WAIT_MS))
    this.#done()
  }

  close(): void {
    this.#work = undefined
    clearTimeout(this.#timer)
    globalThis.removeEventListener('online', this.retry)
  }
}
