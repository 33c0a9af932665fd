import { randomUUID } from 'node:crypto'
import type { ReplyUp } from '@kit/terminal-protocol'
import type { Session, Sessions } from '../link/sessions.ts'
import { openSecret } from '../sealed-parts.ts'
import { say } from '../sync/sender.ts'
import { advance, noteTrouble, readAdoption } from './adoption.queries.ts'
import { followCode } from './adoption.run.ts'

const step = 'secret'
const minutes_ms = 600_000
/** The commands by which devices are given their secret, by session. */
const sent = new WeakMap<Session, string>()

/** A device of our own protocol has said hello: one that came in with its one-time code is given a secret of its own, one that comes in with it has it. */
export async function bringSecret(sessions: Sessions, session: Session): Promise<void> {
  const secret = await sessions.inLine(session, async line => {
    await followCode(line, session)
    const adoption = await readAdoption(line.db, line)
    if (adoption?.step !== step) return null
    if (session.device?.is_temporary !== true) await advance(line, 'jdev', step)
    else if (adoption.secret_sealed !== null && !adoption.is_refused) return openSecret(line.app.secrets.data_key, line.school_id, adoption.secret_sealed)
    return null
  })
  if (secret === null || secret === undefined) return
  const id = randomUUID()
  sent.set(session, id)
  // Not among the commands that are kept: it would stand there in clear.
  say(sessions, session, 'cmd', { type: 'cmd', id, body: { name: 'config', args: { group: 'mqtt', values: { secret } }, expires_at: new Date(sessions.app.clock.now().getTime() + minutes_ms).toISOString() } })
}

/** An answer that may be one to that. @returns whether it was; its proof is that the device comes in with it */
export async function hearSecret(sessions: Sessions, session: Session, re: string | undefined, { code, text }: ReplyUp): Promise<boolean> {
  if (re === undefined || sent.get(session) !== re) return false
  const is_taken = code === 'ok'
  await sessions.inLine(session, line => noteTrouble(line, is_taken ? '新的接入密码已送达，等设备用它重新连接' : `设备不能在线更换接入密码（${text ?? code}）`, !is_taken))
  return true
}
