import type { Builder } from '../world.ts'

export const evaluationCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([])
