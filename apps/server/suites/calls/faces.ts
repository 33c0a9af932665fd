import type { Builder } from '../world.ts'

export const facesCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([])
