/** Whether an error says that there is no room left to write to: no fault of whoever asked, and it may pass. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT'
}
