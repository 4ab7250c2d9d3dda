// The web app for people, under /console.

export { openConsole } from './open-console.ts'
