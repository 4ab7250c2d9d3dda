export { AUTO } from './engine.ts'
export {
  type Chapter,
  type Choice,
  createPlayer,
  Player,
  type PlayerState,
  type Rung,
  type Trouble,
} from './player.ts'
export { findSource, Refusal, type Source, type Wanted } from './source.ts'
