import { readConsole } from './files.ts'
import type { ConsoleOrigins } from './policy.ts'
import { consoleRoutes } from './routes.ts'

/** Serves what is built of the console when the service starts. */
export function openConsole({ folder, origins }: { folder: string; origins: ConsoleOrigins }) {
  return { routes: [consoleRoutes(readConsole(folder), origins)] }
}
