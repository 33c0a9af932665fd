import { createHash } from 'node:crypto'
import { declareContent } from '@campus/devices/server'
import type { ContentRow, DevicesViews } from '@campus/devices/server'
import { asTables } from '@kit/server/db'
import type { Drawing } from './drawings.ts'
import type { Work } from './school-work.ts'

/** Boards and screens that have something to show: those that the demo's virtual terminals play come first. */
const [boards, screens] = [16, 4] as const
const pictures = 6
const of_each = 3
const first_version = 1

/** What some boards of a demo school are to show: a plan and pictures of its library, and on the screens a word that is urgent. Declared as publishing will do it; the boards fetch it when they connect. */
export async function fillBoardContent({ app, db, school_id, now }: Work, library: readonly Drawing[]): Promise<void> {
  const files = library.slice(0, pictures).map(({ file_key, sha256, bytes, mime }): ContentRow => ({ row_key: `file:${sha256}`, bytes: bytes.length, body: { bytes: bytes.length, mime }, file_key }))
  const devices = asTables<DevicesViews>(db)
  const of = (device_type: string, limit: number) => devices.selectFrom('device_live_v').select(['device_id', 'device_type']).where('school_id', '=', school_id).where('device_type', '=', device_type).orderBy('device_sn').limit(limit).execute()
  for (const [nth, { device_id, device_type }] of [...(await of('03', boards)), ...(await of('21', screens))].entries()) {
    const own_files = Array.from({ length: of_each }, (_, at) => files[(nth + at) % files.length]).filter(file => file !== undefined)
    const plan: ContentRow = { row_key: 'plan', bytes: 0, body: { plan_version: first_version, plan_hash: createHash('sha256').update(own_files.map(file => file.row_key).join()).digest('hex').slice(0, 16) } }
    const urgent: ContentRow[] = device_type === '21' ? [{ row_key: 'urgent:1', bytes: 0, body: { text: '今日降温，请注意添衣', until: new Date(now.getTime() + 86_400_000).toISOString() } }] : []
    await declareContent({ app, db, school_id, now }, device_id, 'publishing', { version: first_version, rows: [plan, ...urgent, ...own_files] })
  }
}
