import { facesErrors } from '@campus/faces/contract'
import { fail } from '@kit/contract'
import type { Db } from './db.ts'

export type Policy = {
  enabled: boolean; protocol_code: string; protocol_version: number; protocol_title: string; protocol_text: string; assessed_on: string | null; strictness: number; dup_threshold: number; minor_14_17: number; row_version: number
}
const usual: Policy = { enabled: false, protocol_code: 'face', protocol_version: 0, protocol_title: '', protocol_text: '', assessed_on: null, strictness: 2, dup_threshold: 75, minor_14_17: 1, row_version: 0 }
const columns = ['enabled', 'protocol_code', 'protocol_version', 'protocol_title', 'protocol_text', 'assessed_on', 'strictness', 'dup_threshold', 'minor_14_17', 'row_version'] as const

/** What the school has decided about faces; a school that never did has them off. */
export async function readPolicy(db: Db, school_id: number): Promise<Policy> {
  return (await db.selectFrom('face_policy').select(columns).where('school_id', '=', school_id).executeTakeFirst()) ?? usual
}

/** The policy, locked: whoever admits a face or writes a consent takes his turn here (chapter 40 rule 30). @throws Refusal off */
export async function lockPolicy(db: Db, school_id: number): Promise<Policy> {
  const found = await db.selectFrom('face_policy').select(columns).where('school_id', '=', school_id).forUpdate().executeTakeFirst()
  if (!found?.enabled) throw fail(facesErrors.off)
  return found
}
