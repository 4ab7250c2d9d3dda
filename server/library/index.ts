// The media of a project as people look through it: what the start uses.

export { openLibrary } from './open-library.ts'
