/** What a look at one thing has found. */
export interface Finding {
  /** `warn`: it works, and somebody should know. */
  state: 'ok' | 'warn' | 'fail'
  found: string
  /** What to type, or to set, where anything is to be done. */
  todo?: string
}

export interface Check {
  name: string
  /** What to do where it throws. */
  todo: string
  look(): Promise<Finding> | Finding
}

export const ok = (found: string): Finding => ({ state: 'ok', found })
export const warn = (found: string, todo: string): Finding => ({ state: 'warn', found, todo })
export const fail = (found: string, todo: string): Finding => ({ state: 'fail', found, todo })

/** Longer than anything that answers at all takes. */
const PATIENCE_MS = 20_000

/** A check that throws has failed, and one that never ends has too. */
export async function lookInto({ name, todo, look }: Check): Promise<Finding & { name: string }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(
      () => resolve(fail(`no answer within ${PATIENCE_MS / 1000} seconds`, todo)),
      PATIENCE_MS,
    )
  })
  try {
    return { name, ...(await Promise.race([look(), late])) }
  } catch (error) {
    return { name, ...fail(reasonOf(error as Error), todo) }
  } finally {
    clearTimeout(timer)
  }
}

/** The innermost says it best: `fetch failed` is true of everything. */
function reasonOf(error: Error): string {
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || (error as NodeJS.ErrnoException).code || String(error)
}
