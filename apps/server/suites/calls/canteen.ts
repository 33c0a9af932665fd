import type { Builder } from '../world.ts'

export const canteenCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([])
