import type { IdentityHandle } from './db.ts'

/** The name of a school, as the head of an export says it. */
export async function schoolNameOf(db: IdentityHandle, school_id: number): Promise<string> {
  const row = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirst()
  return row?.school_name ?? ''
}
