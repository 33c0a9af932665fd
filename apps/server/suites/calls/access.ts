import type { Builder } from '../world.ts'
import { accessVisitorCalls } from './access-visitors.ts'

export const accessCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>(accessVisitorCalls)
