import type { Erase, Erased, MovedRow, Rekey, RekeyPair } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import type { DevicesDb } from './db.ts'
import { keepNumbers } from './erasure/erased.write.ts'
import { dueOf } from './sync/due.ts'

const tables = ['subject', 'subject_credential', 'subject_grant', 'sync_row', 'sync_due', 'source_revoked', 'device_held', 'erased_subject', 'change_wait', 'pass_event', 'card_read_event', 'camera_view'] as const
const [credentials_title, grants_title] = ['卡、密码等识别凭证', '通行权限'] as const
const moving = [['subject_credential', 'credential_id', credentials_title], ['subject_grant', 'grant_id', grants_title]] as const
const Mark = z.object({ credential_id: z.string(), grant_id: z.string() })

type Of = { db: QueryExecutorProvider; school_id: number }

async function idsOf({ db, school_id }: Of, user_id: string): Promise<Record<'credential_id' | 'grant_id', string[]>> {
  const own = asTables<DevicesDb>(db)
  const credentials = await own.selectFrom('subject_credential').select('credential_id').where('school_id', '=', school_id).where('user_id', '=', user_id).orderBy('credential_id').execute()
  const grants = await own.selectFrom('subject_grant').select('grant_id').where('school_id', '=', school_id).where('user_id', '=', user_id).orderBy('grant_id').execute()
  return { credential_id: credentials.map(row => row.credential_id), grant_id: grants.map(row => row.grant_id) }
}

async function give({ db, school_id }: Of, table: (typeof moving)[number][0], ids: readonly string[], user_id: string): Promise<void> {
  if (ids.length === 0) return
  const own = asTables<DevicesDb>(db)
  if (table === 'subject_credential') await own.updateTable('subject_credential').set({ user_id }).where('school_id', '=', school_id).where('credential_id', 'in', [...ids]).execute()
  else await own.updateTable('subject_grant').set({ user_id }).where('school_id', '=', school_id).where('grant_id', 'in', [...ids]).execute()
}

/** What terminals know people by, when two files turn out to be one person: cards and rights go to the one that is kept; what doors have noted stays as it is. */
export const devicesRekey: Rekey = {
  domain: 'devices',
  title: '设备',
  tables: [...tables],
  stays: { subject: '设备上的姓名随人员档案更新', sync_row: '由设备同步自动更新', sync_due: '由设备同步自动更新', source_revoked: '等待设备确认删除的回执，设备确认后清除', device_held: '设备保存过的人脸按当时的档案留证', erased_subject: '已删除人员的人脸清除证明所用的编号，加密保存', change_wait: '等待设备确认的变更，设备确认后清除', pass_event: '设备上报的原始记录不改写', card_read_event: '设备上报的原始记录不改写', camera_view: '观看记录是安全日志，保留当时的账号' },
  async preview(pair) {
    const ids = await idsOf(pair, pair.drop_user_id)
    return { moves: moving.flatMap(([, key, title]) => (ids[key].length > 0 ? [{ title, count: ids[key].length }] : [])), conflicts: [] }
  },
  async apply(step) {
    const { keep_user_id, drop_user_id } = step
    const ids = await idsOf(step, drop_user_id)
    await dueOf(step, [keep_user_id, drop_user_id])
    for (const [table, key] of moving) await give(step, table, ids[key], keep_user_id)
    await dueOf(step, [keep_user_id, drop_user_id])
    return moving.flatMap(([table_name, key]) => ids[key].map((row_key): MovedRow => ({ table_name, row_key, column_name: 'user_id', old_user_id: drop_user_id })))
  },
  async undo(step, rows, mark) {
    const { keep_user_id, drop_user_id } = step
    for (const [table] of moving) await give(step, table, rows.filter(row => row.table_name === table).map(row => row.row_key), drop_user_id)
    await dueOf(step, [keep_user_id, drop_user_id])
    return bornSince(step, Mark.parse(mark))
  },
  async mark(pair) {
    const [kept, dropped] = [await idsOf(pair, pair.keep_user_id), await idsOf(pair, pair.drop_user_id)]
    const last = (key: 'credential_id' | 'grant_id') => String([...kept[key], ...dropped[key]].reduce((most, id) => (BigInt(id) > most ? BigInt(id) : most), 0n))
    return { credential_id: last('credential_id'), grant_id: last('grant_id') }
  },
}

async function bornSince(pair: RekeyPair, mark: z.output<typeof Mark>) {
  const ids = await idsOf(pair, pair.keep_user_id)
  return moving.flatMap(([, key, title]) => {
    const count = ids[key].filter(id => BigInt(id) > BigInt(mark[key])).length
    return count > 0 ? [{ title, count, why: 'born' as const }] : []
  })
}

/** How a terminal is called among the proofs of a deletion. */
export function terminalStore(device_id: string): string {
  return `terminal:${device_id}`
}

/** Nobody who is erased is known to a terminal: each one says so itself, whenever it is here again (chapter 20 rule 23). */
export const devicesErase: Erase = {
  domain: 'devices',
  title: '设备',
  stage: 'terminal',
  tables: [...tables],
  stays: { sync_row: '删除指令和回执，设备确认后保留30天', sync_due: '由设备同步自动清除', source_revoked: '等待设备确认删除的回执，设备确认后清除', device_held: '人脸清除证明的依据，只有编号', erased_subject: '人脸清除证明所用的学号或工号，加密保存', change_wait: '等待设备确认的变更，设备确认后清除', pass_event: '通行记录保留编号，姓名显示为已注销人员', card_read_event: '刷卡记录保留编号，姓名显示为已注销人员', camera_view: '观看记录是安全日志，保留180天，姓名显示为已注销人员' },
  async erase(step) {
    const { db, school_id, user_id } = step
    const own = asTables<DevicesDb>(db)
    await keepNumbers({ ...step, db: own }, [user_id])
    await dueOf(step, [user_id])
    const holding = await own
      .selectFrom('sync_row as r')
      .innerJoin('device as d', join => join.onRef('d.school_id', '=', 'r.school_id').onRef('d.device_id', '=', 'r.device_id'))
      .select(['d.device_id', 'd.device_name'])
      .distinct()
      .where('r.school_id', '=', school_id)
      .where('r.user_id', '=', user_id)
      .where('r.state', 'not in', ['gone', 'blocked'])
      .where('d.lifecycle', '<>', 'retired')
      .orderBy('d.device_id')
      .execute()
    const counts = []
    for (const table of ['subject_grant', 'subject_credential', 'subject'] as const) counts.push(Number((await own.deleteFrom(table).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()).numDeletedRows))
    const gone = counts.reduce((sum, count) => sum + count, 0)
    const proofs = holding.map(({ device_id, device_name }): Erased => ({ store: terminalStore(device_id), title: device_name, action: 'deleted', acked: false }))
    return gone === 0 ? proofs : [{ store: 'db:devices', title: '设备下发数据', action: 'deleted', acked: true, evidence: `${gone} 行` }, ...proofs]
  },
}
