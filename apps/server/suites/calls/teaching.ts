import type { Builder } from '../world.ts'

export const teachingCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([])
