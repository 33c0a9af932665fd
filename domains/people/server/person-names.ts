import type { PersonNames } from '@campus/audit/server'
import type { LookWords } from '@campus/files/server'
import type { IdentityViews } from '@campus/identity/server'
import { asTables } from '@kit/server/db'
import { oneOf } from './dated.ts'

/** Names of people for the journals, those who have left included. */
export const personNames: PersonNames = async (db, school_id, user_ids) => {
  const rows = await asTables<IdentityViews>(db).selectFrom('school_user_v').select(['user_id', 'user_name']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  return new Map(rows.map(row => [row.user_id, row.user_name]))
}

/** Who looks at a private file; the signature of its address holds the id alone. */
export const lookedBy: LookWords = async (db, { school_id, user_id }) => {
  const who = await asTables<IdentityViews>(db).selectFrom('school_user_v').select(['user_no', 'user_name']).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  return who ?? {}
}
