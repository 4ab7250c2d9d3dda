import { type LibraryDeps, libraryRoutes } from './routes.ts'

export function openLibrary(deps: LibraryDeps) {
  return { routes: [libraryRoutes(deps)] }
}
