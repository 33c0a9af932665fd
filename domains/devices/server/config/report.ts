import type { ConfigValue, ManagedDriver, Request } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Line } from '../link/line.ts'
import type { Session } from '../link/sessions.ts'
import { password_key } from '../password/password.queries.ts'
import { wakeSenders } from '../notice.ts'
import { readDesired } from './config.plan.ts'
import { judgeArrival } from './trial.ts'

/** What a device may say of these is not kept: hardware is known that says its passwords in clear (chapter 31 §5.8). */
const secret = /\.(?:password|psk)$/u

/** Reads the settings of a device once they may have changed; null when there is no need. */
export function dueConfigRead(session: Session, driver: ManagedDriver): Request | null {
  if (session.config_due === null || session.config_asked) return null
  session.config_asked = true
  return driver.readConfig()
}

const missed = new WeakSet<Session>()

/** A device has not said what settings it has. How its door is nobody else says of a VF105: it is asked once more. */
export function missConfig(session: Session): void {
  if (session.device?.driver !== 'vf105' || missed.has(session)) return
  missed.add(session)
  session.config_asked = false
}

/** Are the settings of a device to be read before it gets anything else? Where the school sets some: what it has lost is not to be told again before it is known why. Others are read when nothing else is to be done. */
export async function readsSettingsFirst({ db, school_id, device_id }: Line, session: Session): Promise<boolean> {
  if (session.config_due === null || session.config_asked) return false
  const row = await db.selectFrom('sync_row').select('row_key').where('school_id', '=', school_id).where('device_id', '=', device_id).where('kind', '=', 'config').where('row_key', '<>', password_key).limit(1).executeTakeFirst()
  return row !== undefined
}

/** A device has answered to what was sent to it: when settings were among it, they are read. */
export function noteSettings(session: Session, { rows }: { rows: readonly { kind: string; row_key: string }[] }): void {
  if (rows.some(row => row.kind === 'config' && row.row_key !== password_key)) session.config_due ??= 'change'
}

/**
 * A device has said what settings it has. After its arrival, and once a night, what it has otherwise than it was told is sent again; right after a change it is only noted, so that a device that makes something
 * else of a value is not told the same without end.
 */
export async function takeConfig(line: Line, session: Session, reported: Record<string, ConfigValue> | undefined): Promise<void> {
  const cause = session.config_due
  session.config_due = null
  session.config_asked = false
  if (!reported) return
  const { db, school_id, device_id, now } = line
  const open = Object.fromEntries(Object.entries(reported).filter(([key]) => !secret.test(key)))
  await sql`
    insert into device_config (school_id, device_id, reported, reported_at) values (${school_id}, ${device_id}, ${JSON.stringify(open)}::jsonb, ${now})
    on conflict (school_id, device_id) do update set reported = excluded.reported, reported_at = excluded.reported_at`.execute(db)
  if (cause !== 'arrival') return
  // What a trial that has just ended leaves behind is derived anew first.
  if (!(await judgeArrival(line, reported))) await resendOther(line, reported)
}

async function resendOther({ db, school_id, device_id, now }: Line, reported: Readonly<Record<string, ConfigValue>>): Promise<void> {
  const desired = await readDesired(db, { school_id, device_id })
  const other = Object.entries(desired).flatMap(([key, { value }]) => (value !== null && reported[key] !== undefined && reported[key] !== value ? [key] : []))
  const { rows } = await sql`
    update sync_row set state = 'pending', attempts = 0, next_at = ${now}, wanted_at = ${now} where school_id = ${school_id} and device_id = ${device_id} and kind = 'config' and want_op = 'put' and state in ('applied', 'proven') and row_key = any(${other}::text[])
    returning row_key`.execute(db)
  if (rows.length > 0) await wakeSenders({ db, school_id }, [device_id])
}
