import type { ObjectStore } from '../platform/objects/port.ts'
import { readPackages } from './modules.ts'
import { sdkRoutes } from './routes.ts'
import { openVersions } from './versions.ts'

interface SdkDeps {
  packagesFolder: string
  objects: ObjectStore
}

/** Serves what is built of the packages when the service starts, and the versions of before. */
export function openSdk({ packagesFolder, objects }: SdkDeps) {
  const versions = openVersions(readPackages(packagesFolder), objects)
  return { routes: [sdkRoutes(versions)], close: versions.close }
}
