import { passState } from '@kit/terminal-protocol'
import type { Happening, PassFacts } from '@kit/terminal-protocol'
import { z } from 'zod'
import type { Line } from '../link/line.ts'
import { readGrants, readTarget } from '../sync/facts.queries.ts'
import { tellOdd } from '../tell/tell-odd.ts'
import { numeric } from './heard.ts'
import type { Hearing } from './heard.ts'
import type { PassPicture } from './pass.write.ts'
import { storeEvents } from './store.ts'
import type { Stored } from './store.ts'

/** Its record numbers go on over a restart: they are of one epoch. */
export const vf105_epoch = 'vf105'
const second_ms = 1000
const Fire = z.object({ alarm: z.literal('fire'), value: z.literal(1) })

type Heard = Pick<Hearing, 'skew_ms' | 'queued'> & { pass_pictures?: ReadonlyMap<number, PassPicture> }

/** Stores what a VF105 has told, one by one or a page of it, each record once, by a clock that is so far behind, with its pictures. */
export async function storeHappenings(line: Line, events: readonly Happening[], heard: Heard): Promise<Stored | undefined> {
  const passes = events.filter(one => one.type === 'pass')
  // Nothing here closes a VF105 by a time that it would say so of: it has one of its own.
  if (passes.some(({ pass }) => pass?.refusal === 'closed')) await tellOdd(line, line.device_id, 'local_schedule')
  const granted = await whoIsGranted(line, passes.flatMap(({ pass }) => (pass?.refusal === 'no_right' ? (numeric(pass.user_id) ?? []) : [])))
  const items = [...passes.map(event => passItem(event, granted)), ...events.filter(one => one.type === 'alarm').flatMap(fireItem)]
  return items.length === 0 ? undefined : storeEvents(line, { epoch: vf105_epoch, items, ...heard })
}

/** A fire; the device has no number for it, so its second is one. Its door's contact is not followed. */
function fireItem({ at, facts }: Happening) {
  return Fire.safeParse(facts).success ? [{ seq: Math.floor(Date.parse(at) / second_ms), type: 'alarm', at, kind: 'fire', value: 1 }] : []
}

/** A pass as our own terminals say it; why somebody was refused depends on what he is granted here. */
function passItem({ seq, at, pass }: Happening, granted: ReadonlySet<string>) {
  const { user_id, credential_id, verify = 0, code_masked, reason = '', score }: Partial<PassFacts> = pass ?? {}
  const result = pass ? passState(pass, { is_lost: false, has_grant: user_id !== undefined && granted.has(user_id) }) : 0
  const known = Object.entries({ user_id, credential_id, code_masked, score }).filter(([, value]) => value !== undefined)
  return { seq: Number(seq), type: 'pass', at, verify, result, reason, ...Object.fromEntries(known) }
}

async function whoIsGranted({ db, school_id, device_id, now }: Line, users: readonly string[]): Promise<ReadonlySet<string>> {
  const target = users.length > 0 ? await readTarget(db, school_id, device_id, now) : undefined
  return new Set(target ? (await readGrants(db, target, now, [...new Set(users)])).map(grant => grant.user_id) : [])
}
