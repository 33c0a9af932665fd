import type { Builder } from '../world.ts'

export const leaveCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([])
