import type { CredentialProvider } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DevicesDb } from './db.ts'

const kinds: Readonly<Record<string, string>> = { card: '卡', id_card: '身份证', face: '人脸', password: '密码', qr: '二维码', finger: '指纹', plate: '车牌' }
const seen = { need: 'devices.sync.view', facets: ['student', 'staff', 'parent'] } as const

/** How one terminal stands with a person: the worst of its rows. */
const Standing = z.object({ device_id: z.string(), device_name: z.string(), online: z.boolean(), refused: z.string().nullable(), is_refused: z.boolean(), is_leaving: z.boolean(), is_open: z.boolean(), is_blocked: z.boolean(), acked_at: z.date().nullable() })
type Standing = z.output<typeof Standing>

/** What somebody is known by at doors; the codes themselves are no business of the page. */
const credentials: CredentialProvider = {
  lane: 'devices.credential', title: '识别凭证', ...seen,
  items: async ({ own, school_id, now }, user_id) => {
    const rows = await own<DevicesDb, { credential_id: string; cred_kind: string; usable: boolean; valid_until: Date | null }[]>(db => db.selectFrom('subject_credential').select(['credential_id', 'cred_kind', 'usable', 'valid_until']).where('school_id', '=', school_id).where('user_id', '=', user_id).orderBy('credential_id').execute())
    return rows.map(({ credential_id, cred_kind, usable, valid_until }) => {
      const is_over = valid_until !== null && valid_until <= now
      return { id: credential_id, title: kinds[cred_kind] ?? cred_kind, status: usable && !is_over ? 'ok' : 'off', status_text: is_over ? '已过期' : usable ? '可用' : '已停用', detail: null, at: null }
    })
  },
}

/** Every terminal that holds him, is to hold him or still has to forget him. */
const terminals: CredentialProvider = {
  lane: 'devices.terminal', title: '终端', ...seen,
  items: async ({ own, school_id }, user_id) => {
    const rows = await own<DevicesDb, Standing[]>(async db => z.array(Standing).parse((await sql`
      select d.device_id::text as device_id, d.device_name, d.online, max(r.reason_text) filter (where r.state = 'refused') as refused, bool_or(r.state = 'refused') as is_refused,
        bool_and(r.want_op = 'delete') as is_leaving, bool_or(r.state in ('pending', 'sent', 'unknown')) as is_open, bool_and(r.state = 'blocked') as is_blocked, max(r.acked_at) as acked_at
      from sync_row r join device d on d.school_id = r.school_id and d.device_id = r.device_id
      where r.school_id = ${school_id} and d.school_id = ${school_id} and r.user_id = ${user_id} and r.kind in ('person', 'credential') and r.state <> 'gone' and d.lifecycle <> 'retired'
      group by d.device_id, d.device_name, d.online order by d.device_name`.execute(asTables<DevicesDb>(db))).rows))
    return rows.map(row => ({ id: row.device_id, title: row.device_name, ...wordsOf(row), at: row.acked_at }))
  },
}

/** Behind the words stands the time of its last confirmation. */
function wordsOf({ online, refused, is_refused, is_leaving, is_open, is_blocked, acked_at }: Standing): { status: 'ok' | 'waiting' | 'off'; status_text: string; detail: string | null } {
  if (is_refused) return { status: 'off', status_text: '设备拒绝', detail: refused }
  if (is_open) return { status: 'waiting', status_text: is_leaving ? '待清除' : '待下发', detail: join(online ? null : '等待设备上线', acked_at && '上次确认') }
  if (is_blocked) return { status: 'off', status_text: '不下发', detail: null }
  return { status: 'ok', status_text: '已下发', detail: join(online ? null : '设备离线', acked_at && '确认于') }
}

function join(...parts: readonly (string | null)[]): string | null {
  return parts.filter(Boolean).join('，') || null
}

/** Cards, faces and terminals on the page of a person (chapter 20 §5.3). */
export const deviceCredentials: readonly CredentialProvider[] = [credentials, terminals]
