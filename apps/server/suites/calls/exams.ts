import type { Builder } from '../world.ts'

export const examsCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([])
