import { startTransition, useEffect, useState } from 'react'
import { whenIdle } from '../../after-paint.ts'

/** Nobody who scrolls on a slow machine sees empty places for longer. */
const LONGEST_MS = 300

/** Those that wait, in the order in which they came into view. */
const waiting = new Set<() => void>()
let isRunning = false

/**
 * False at first, and true when it is this one's turn: one with each frame. What a screen of cards takes to be laid out
 * and painted would hold up whoever presses a key meanwhile.
 */
export function useTurn(): boolean {
  const [hasTurn, setTurn] = useState(false)
  useEffect(() => {
    const take = () => startTransition(() => setTurn(true))
    waiting.add(take)
    run()
    return () => void waiting.delete(take)
  }, [])
  return hasTurn
}

function run(): void {
  if (isRunning) return
  isRunning = true
  whenIdle(() => {
    const [next] = waiting
    isRunning = false
    if (!next) return
    waiting.delete(next)
    next()
    if (waiting.size > 0) run()
  }, LONGEST_MS)
}
