import type { SchoolDetail, schoolInfoApi } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { SchoolCtx } from './db.ts'
import { renameInRegistry } from './registry.queries.ts'
import { findSchool, saveSchool } from './school.queries.ts'
import { publicUrl } from './school.service.ts'

type School = NonNullable<Awaited<ReturnType<typeof findSchool>>>

/** The whole row of the caller's school. */
export async function readDetail(ctx: SchoolCtx): Promise<SchoolDetail> {
  const school = await findSchool(ctx.db, ctx.school_id)
  if (!school) throw fail(commonErrors.notFound)
  return show(school)
}

/**
 * Writes what an administrator says of the school.
 * @throws Refusal 409 when somebody else has changed it meanwhile
 */
export async function changeInfo(ctx: SchoolCtx, { row_version, ...draft }: Input<typeof schoolInfoApi.update>): Promise<SchoolDetail> {
  const before = await readDetail(ctx)
  const school = await saveSchool(ctx.db, { school_id: ctx.school_id, row_version, draft, by: ctx.me.user_id, now: ctx.now })
  if (!school) throw fail(commonErrors.stale)
  await renameInRegistry(ctx.db, ctx.school_id, school.school_name)
  const after = show(school)
  const known: Record<string, unknown> = before
  const changed = Object.entries(after).filter(([key, value]) => key !== 'row_version' && known[key] !== value)
  ctx.note({
    target_kind: 'school',
    target_id: String(ctx.school_id),
    target_name: after.school_name,
    before: Object.fromEntries(changed.map(([key]) => [key, known[key]])),
    after: Object.fromEntries(changed),
  })
  return after
}

/** The row as it is told. */
export function show(school: School): SchoolDetail {
  const { school_logo, login_bg, home_lng, home_lat, ...row } = school
  return { ...row, school_logo_url: publicUrl(school_logo), login_bg_url: publicUrl(login_bg), home_lng: toNumber(home_lng), home_lat: toNumber(home_lat) }
}

function toNumber(value: string | null): number | null {
  return value === null ? null : Number(value)
}
