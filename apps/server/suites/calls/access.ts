import type { Builder } from '../world.ts'

export const accessCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([])
