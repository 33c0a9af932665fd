import type { Builder } from '../world.ts'
import { attendanceResultCalls } from './attendance-results.ts'
import { attendanceRuleCalls } from './attendance-rules.ts'

export const attendanceCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([
  ...attendanceResultCalls,
  ...attendanceRuleCalls,
])
