import { addWork } from '@campus/jobs/server'
import { encodeSaid, findingsOf, nextProbe } from '@kit/terminal-protocol/vf105'
import type { Findings } from '@kit/terminal-protocol/vf105'
import type { Reply, Request } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { settleCommand } from '../control/command.queries.ts'
import type { Line } from '../link/line.ts'
import type { Session } from '../link/sessions.ts'
import { profileWork } from './profile.work.ts'

const kib = 1024

/** What is asked next in a probe that is under way; null when none is. */
export function nextProbeOf(session: Session): Request | null {
  return (session.probe && nextProbe(session.probe.said)?.request) ?? null
}

/** An answer has come, or none in time (undefined); the last one tells what the model of the device takes. */
export async function takeProbe(line: Line, session: Session, reply: Reply | undefined): Promise<void> {
  const { probe } = session
  const next = probe && nextProbe(probe.said)
  if (!probe || !next) return
  probe.said.push({ ask: next.ask, bytes: encodeSaid({ serialNo: '', uuid: session.client_id, time: 0 }, next.request.data).length, reply })
  if (nextProbe(probe.said)) return
  session.probe = null
  const findings = findingsOf(probe.said)
  await writeLimits(line, findings)
  await settleCommand(line.db, line, { command_id: probe.command_id, code: 'ok', text: told(findings, probe.said.length), now: line.now })
}

/** What was measured takes the place of what was assumed; what was not asked stays. Where that is something else, every school that has devices is to tell of those of the model, from the same transaction. */
async function writeLimits(line: Line, { loses_hash, ...measured }: Findings): Promise<void> {
  const { db, school_id, device_id, now } = line
  const limits = JSON.stringify({ ...measured, ...(loses_hash.length > 0 ? { loses_hash } : {}) })
  const { rows: [device] } = await sql<{ model_code: string }>`select model_code from device where school_id = ${school_id} and device_id = ${device_id}`.execute(db)
  const { rows } = await sql<{ model_code: string; is_turned: boolean }>`
    update device_model m set limits = (m.limits - 'loses_hash') || ${limits}::jsonb, limits_source = 'measured'
    from device_model was where m.model_code = ${device?.model_code ?? null} and was.model_code = m.model_code
    returning m.model_code, m.limits is distinct from was.limits as is_turned`.execute(db)
  for (const { model_code } of rows.filter(row => row.is_turned)) {
    const { rows: schools } = await sql<{ school_id: number }>`select distinct school_id from device_client where revoked_at is null`.execute(db)
    for (const other of schools) await addWork(db, { school_id: other.school_id, kind: profileWork.kind, ref: model_code, due_at: now })
  }
}

function told({ rows_per_command, photo_max_bytes, packet_max_bytes = 0, loses_hash }: Findings, asked: number): string {
  const size = (bytes: number | undefined) => (bytes === undefined ? '未测出' : `${Math.floor(bytes / kib)}KB`)
  const marks = loses_hash.length > 0 ? `；不保留校验值：${loses_hash.join('、')}` : ''
  return `共询问${asked}次：每次${rows_per_command ?? '未测出'}行，照片${size(photo_max_bytes)}，单条消息至少${size(packet_max_bytes)}${marks}`
}
