import type { Builder } from '../world.ts'
import { attendanceResultCalls } from './attendance-results.ts'

export const attendanceCalls: ReadonlyMap<string, Builder> = attendanceResultCalls
