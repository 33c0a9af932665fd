import type { Builder } from '../world.ts'

export const attendanceCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([])
