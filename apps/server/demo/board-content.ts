import { createHash } from 'node:crypto'
import { declareContent } from '@campus/devices/server'
import type { ContentRow, DevicesViews } from '@campus/devices/server'
import { read } from '@campus/files/server'
import type { Boot } from '@kit/server/http'
import type { Kysely } from 'kysely'

/** Boards and screens that have something to show: those that the demo's virtual terminals play come first. */
const [boards, screens] = [16, 4] as const
const pictures = 6
const of_each = 3
const first_version = 1

/** What some boards of a demo school are to show: a plan and pictures of its library, and on the screens a word that is urgent. Declared as publishing will do it; the boards fetch it when they connect. */
export async function fillBoardContent({ app, database }: Boot, school_id: number, library: readonly string[]): Promise<void> {
  const now = app.clock.now()
  const own = <DB, R>(id: number, fn: Parameters<typeof database.tenant<DB, R>>[1]) => database.tenant<DB, R>(id, fn)
  const files: ContentRow[] = []
  for (const file_key of library.slice(0, pictures)) {
    const { bytes, mime } = await read({ app, own, now }, { school_id, file_key })
    files.push({ row_key: `file:${createHash('sha256').update(bytes).digest('hex')}`, bytes: bytes.length, body: { bytes: bytes.length, mime }, file_key })
  }
  await database.tenant(school_id, async (db: Kysely<DevicesViews>) => {
    const of = (device_type: string, limit: number) => db.selectFrom('device_live_v').select(['device_id', 'device_type']).where('school_id', '=', school_id).where('device_type', '=', device_type).orderBy('device_sn').limit(limit).execute()
    for (const [nth, { device_id, device_type }] of [...(await of('03', boards)), ...(await of('21', screens))].entries()) {
      const own_files = Array.from({ length: of_each }, (_, at) => files[(nth + at) % files.length]).filter(file => file !== undefined)
      const plan: ContentRow = { row_key: 'plan', bytes: 0, body: { plan_version: first_version, plan_hash: createHash('sha256').update(own_files.map(file => file.row_key).join()).digest('hex').slice(0, 16) } }
      const urgent: ContentRow[] = device_type === '21' ? [{ row_key: 'urgent:1', bytes: 0, body: { text: '今日降温，请注意添衣', until: new Date(now.getTime() + 86_400_000).toISOString() } }] : []
      await declareContent({ app, db, school_id, now }, device_id, 'publishing', { version: first_version, rows: [plan, ...urgent, ...own_files] })
    }
  })
}
