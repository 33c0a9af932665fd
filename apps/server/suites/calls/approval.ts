import type { Builder } from '../world.ts'

export const approvalCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([])
