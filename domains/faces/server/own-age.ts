import { schoolDay } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import { setTimer } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { asked, lockConsent, needsOf, noteAsked, own_age, scenes, writeLog } from './consent.core.ts'
import type { Act, FacesDb } from './db.ts'
import { sendLinks } from './link.send.ts'
import { pupils, readSitters } from './people.ts'
import type { Sitter } from './people.ts'
import { lockPolicy, readPolicy } from './policy.ts'

const own_age_kind = 'faces.own_age'

/** Plans the day on which a pupil, for whom a guardian has agreed, is asked himself (chapter 40 rule 34). */
export async function planOwnAge({ app, db, school_id, now }: Act, { user_id, person_kind, birthday }: Sitter): Promise<void> {
  if (person_kind !== pupils || birthday === null) return
  const due_at = new Date(`${Number(birthday.slice(0, 4)) + own_age}${turned(birthday)}T08:00:00+08:00`)
  if (due_at > now) await setTimer({ app, db, school_id }, { kind: own_age_kind, ref: user_id, due_at })
}

/** Who was born on a leap day is a year older on the first of March. */
function turned(birthday: string): string {
  return birthday.endsWith('-02-29') ? '-03-01' : birthday.slice(4)
}

/** On the fourteenth birthday the consent goes on and the pupil is asked himself. */
export const ownAgeTimer: TimerKind = {
  kind: own_age_kind,
  async run(handle, { app, school_id, ref: user_id, now }) {
    const act: Act = { app, db: asTables<FacesDb>(handle), school_id, now, by: null }
    const sitter = (await readSitters(act.db, school_id, [user_id], null)).get(user_id)
    if (!sitter || !(await readPolicy(act.db, school_id)).enabled) return
    const policy = await lockPolicy(act.db, school_id)
    const consent = await lockConsent(act, user_id)
    if (consent?.state !== 1 || consent.self_log_id !== null) return
    // The birthday may have been corrected meanwhile.
    if (!needsOf(sitter, policy, schoolDay(now)).self) return planOwnAge(act, sitter)
    const { log_id } = await writeLog(act, policy, { user_id, status: asked, confirm_scene: scenes.system, confirm_user: null })
    await noteAsked(act, policy, user_id)
    await sendLinks(act, sitter, log_id, [{ user_id }])
  },
}
