import type { Builder } from '../world.ts'

export const publishingCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([])
