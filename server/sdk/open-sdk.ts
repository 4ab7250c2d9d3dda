import { readModules } from './modules.ts'
import { sdkRoutes } from './routes.ts'

/** Serves what is built of the packages when the service starts. */
export function openSdk({ packagesFolder }: { packagesFolder: string }) {
  return { routes: [sdkRoutes(readModules(packagesFolder))] }
}
