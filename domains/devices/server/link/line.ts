import type { App } from '@kit/server/http'
import type { Db } from '../db.ts'

/** One device in a transaction of its school. */
export type Line = { app: App; db: Db; school_id: number; device_id: string; now: Date }
