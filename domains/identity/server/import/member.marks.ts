import { sql } from 'kysely'
import { z } from 'zod'
import type { IdentityHandle } from '../db.ts'

/** A membership as it stood, times as texts that keep their microseconds. */
const MemberImage = z.object({ valid_from: z.string(), valid_to: z.string().nullable(), reason: z.string().nullable() })
type MemberImage = z.output<typeof MemberImage>
/** What stands for a membership that was not there. */
export const made_by_import = { made: true } as const
const Before = z.union([z.object({ made: z.literal(true) }), MemberImage])

/** How a membership stood before an import; 'made' when it was not there, null when the import left it alone. */
export function imageOf(before: unknown): MemberImage | 'made' | null {
  if (before === null) return null
  const image = Before.parse(before)
  return 'made' in image ? 'made' : image
}

type Step = { db: IdentityHandle; school_id: number }

/** Key under which an import names a membership that it wrote. */
export function memberMark(role_no: string): string {
  return `m:${role_no}`
}

/** The membership that a key names. */
export function markedMember(key: string): string {
  return key.slice(2)
}

/** How these memberships stand; each change counts their version up. `lock` keeps them so until the transaction ends. */
export async function memberMarks({ db, school_id }: Step, role_nos: readonly string[], lock = false): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('role_member')
    .select(['role_no', 'row_version'])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`role_no = any(${[...role_nos]}::bigint[])`)
    .orderBy('role_no')
    .$if(lock, query => query.forUpdate())
    .execute()
  return new Map(rows.map(({ role_no, row_version }) => [memberMark(role_no), `v${row_version}`]))
}

/** These memberships as an undo restores them. */
export async function memberImages(db: IdentityHandle, school_id: number, role_nos: readonly string[]): Promise<Map<string, MemberImage>> {
  const rows = await db
    .selectFrom('role_member')
    .select(['role_no', sql<string>`valid_from::text`.as('valid_from'), sql<string | null>`valid_to::text`.as('valid_to'), 'reason'])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`role_no = any(${[...role_nos]}::bigint[])`)
    .execute()
  return new Map(rows.map(({ role_no, ...image }) => [role_no, image]))
}
