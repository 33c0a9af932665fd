import { identityErrors, identityEvents } from '@campus/identity/contract'
import type { Failure } from '@kit/contract'
import { constraintOf } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { issueAccount } from './account.queries.ts'
import { randomPassword } from './account.reset.ts'
import type { Target } from './account.target.ts'
import type { Desk } from './db.ts'
import { directory } from './directory.ts'
import { hashPassword } from './hash-pool.ts'
import { firstPassword } from './password-rule/first-password.ts'
import { readSet } from './password-set.queries.ts'

const default_state = 2

/** A login that was opened, or why it was not. */
type OpenedLogin = { user_id: string; username: string; password: string; refused?: undefined } | { user_id: string; refused: Failure }

/**
 * Opens the logins of people who have none: the name is the mobile of the archives (decision 9), the first password follows the rule of the school and must be
 * changed at once. The caller has decided who may be touched.
 */
export async function openLogins(desk: Desk, school_id: number, targets: readonly Target[]): Promise<OpenedLogin[]> {
  if (targets.length === 0) return []
  const user_ids = targets.map(target => target.user_id)
  const { set, known } = await desk.own(school_id, async db => ({ set: await readSet(db, school_id), known: await directory.one(desk.app).firstFacts(db, school_id, user_ids) }))
  const opened: OpenedLogin[] = []
  for (const user_id of user_ids) {
    const facts = known.get(user_id) ?? { mobile: null, id_no: null }
    const password = firstPassword(set, facts) ?? randomPassword()
    opened.push(facts.mobile === null ? { user_id, refused: identityErrors.noMobile } : await openLogin(desk, school_id, { user_id, username: facts.mobile, password }))
  }
  return opened
}

async function openLogin(desk: Desk, school_id: number, { user_id, username, password }: { user_id: string; username: string; password: string }): Promise<OpenedLogin> {
  const password_hash = await hashPassword(password)
  try {
    return await desk.own(school_id, async db => {
      const free = await db.selectFrom('account').select('user_id').where('user_id', '=', user_id).where('username', 'is', null).forUpdate().executeTakeFirst()
      if (!free) return { user_id, refused: identityErrors.loginOpened }
      await issueAccount(db, { user_id, username, password_hash, pwd_state: default_state, pwd_set_at: desk.now })
      await publish({ ...desk, db, school_id }, identityEvents.accountCreated, { user_id })
      return { user_id, username, password }
    })
  } catch (error) {
    if (constraintOf(error)?.constraint === 'account_username_key') return { user_id, refused: identityErrors.mobileHasLogin }
    throw error
  }
}
