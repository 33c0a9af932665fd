import type { Happening } from '@kit/terminal-protocol'
import type { App } from '@kit/server/http'
import { Port } from '@kit/server/http'
import { sql } from 'kysely'
import type { Line } from '../link/line.ts'
import { digestOf } from '../sync/declare.ts'

/** Somebody whom a door asks about: what he shows there and whose it is, null when nobody here has it (a code that is made anew each time). */
export type Swipe = { device_id: string; at: string; verify: number; type: string; code: string; user_id: string | null }
/** Whether the door opens to him; asked in the school's own transaction. */
export type Decider = (line: Line, swipe: Swipe) => Promise<boolean>

/** So long a door waits for the school's word; no word is no. */
const patience_ms = 300
/** Kinds of credentials by what the hardware calls them. */
const kinds: ReadonlyMap<string, Parameters<typeof digestOf>[2]> = new Map([['200', 'card'], ['205', 'id_card'], ['101', 'qr'], ['103', 'qr'], ['400', 'password']])

const deciderPort = new Port<Decider>('devices.decider')

/** Whoever knows who may pass answers what doors ask (chapter 30 rule 1); the last one that has registered is asked. */
export function registerDecider(app: App, decider: Decider): void {
  deciderPort.fill(app, decider)
}

/** Whether a door opens that asks the school: never to a credential that is lost or of somebody who is not here any more; without an answer in time, to nobody (chapter 31 §5.7.11). */
export async function isLetIn(line: Line, { at, pass }: Happening): Promise<boolean> {
  const decider = deciderPort.all(line.app).at(-1)
  if (!decider || !pass?.lookup) return false
  const { type, code } = pass.lookup
  const cred_kind = kinds.get(type)
  const holder = cred_kind === undefined ? null : await holderOf(line, cred_kind, code)
  if (holder === 'barred') return false
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(false), patience_ms)
  })
  const answer = decider(line, { device_id: line.device_id, at, verify: pass.verify, type, code, user_id: holder }).catch((error: unknown) => {
    line.app.log.warn({ err: error, device_id: line.device_id }, 'nobody could say whether a door opens')
    return false
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Whose credential it is: nobody's that is known here, or `barred` where it is stopped or its holder has left. */
async function holderOf({ app, db, school_id, now }: Line, cred_kind: Parameters<typeof digestOf>[2], code: string): Promise<string | null | 'barred'> {
  const { rows: [found] } = await sql<{ user_id: string; is_good: boolean }>`
    select c.user_id::text, c.usable and coalesce(s.live, false) and (c.valid_until is null or c.valid_until > ${now}) as is_good
    from subject_credential c left join subject s on s.school_id = c.school_id and s.user_id = c.user_id
    where c.school_id = ${school_id} and c.cred_kind = ${cred_kind} and c.code_digest = ${digestOf(app, school_id, cred_kind, code)}
    order by c.usable desc limit 1`.execute(db)
  if (!found) return null
  return found.is_good ? found.user_id : 'barred'
}
