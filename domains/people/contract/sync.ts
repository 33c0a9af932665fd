import { api, get, id, Instant, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'

/** MB of a roster as an upstream system exports it. */
export const most_roster_mb = 50
/** Upstream rosters that can be read: OneRoster 1.1 or 1.2, a bulk export as CSV files in a zip. */
export const roster_sources = ['oneroster'] as const
export const sync_kinds = ['dept', 'user'] as const
export type SyncKind = (typeof sync_kinds)[number]

const BatchNo = z.string().max(40)
/** One import that a roster became; nothing is written before somebody applies it. */
const SyncBatch = z.object({ batch_no: BatchNo, template: z.string(), lines: z.number().int() })

/** One roster that was handed in. `removed`: people or departments that the upstream has marked as gone, which nobody here removes by himself. */
export const SyncLog = z.object({
  id: id('people.roster_sync'),
  kind: z.enum(sync_kinds),
  source: z.enum(roster_sources),
  file_name: z.string(),
  batches: z.array(SyncBatch),
  /** rows read, rows that stand for nothing here */
  read: z.number().int(),
  ignored: z.number().int(),
  removed: z.number().int(),
  created_by_name: z.string(),
  created_at: Instant,
})
export type SyncLog = z.output<typeof SyncLog>

const upload = { max_mb: most_roster_mb, extensions: ['.zip'] }
const body = z.object({ source: z.enum(roster_sources).default('oneroster') })
const sync = { upload, body, reply: SyncLog, need: 'people.sync.run', within: 'school', op: 6 } as const

/** A roster of an upstream system enters as ordinary imports with a dry run, never directly (chapter 20 §4 Departments). */
export const syncApi = api('web', 'people.sync', {
  dept: post('dept/sync', sync),
  user: post('user/sync', sync),
  logs: get('sync/logs', { query: PageQuery, reply: page(SyncLog), need: 'people.sync.run', within: 'school' }),
})
