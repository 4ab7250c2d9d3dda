import { memoryLimiter } from '../../server/platform/limits/memory.ts'
import { limiterContract } from './limits.contract.ts'

limiterContract('memory', async (clock) => memoryLimiter(clock))
