import type { noticeApi } from '@campus/publishing/contract'
import { schoolDay } from '@campus/school/server'
import type { Input, Reply } from '@kit/contract'
import type { PublishingCtx } from '../db.ts'
import { scopesOf } from '../depts.ts'
import { hashOf, resolveAudience, unbound, unitsOf } from './audience.ts'
import type { Family } from './post.queries.ts'
import { approval_from, audienceProblem } from './publish.ts'
import { checkTargets } from './targets.ts'

const [pupil, guardian, staff] = [1, 2, 3] as const

/** The exact number of an audience, class by class (chapter 60 rule 2). */
export async function previewAudience(ctx: PublishingCtx, family: Family, asked: Input<typeof noticeApi.preview>): Promise<Reply<typeof noticeApi.preview>> {
  const scopes = await scopesOf(ctx)
  await checkTargets(ctx, asked.scene, asked.audience)
  const readers = await resolveAudience(ctx, asked)
  const of = (role: number) => readers.filter(one => one.role === role && one.user_id !== unbound)
  const by_dept = [...Map.groupBy(readers, one => one.dept_id ?? '0')].map(([dept_id, own]) => ({
    dept_id, dept_name: own[0]?.dept_name ?? '未分部门', units: unitsOf(own), unbound: own.filter(one => one.user_id === unbound).length,
  }))
  const total = unitsOf(readers)
  return {
    audience_hash: hashOf(schoolDay(ctx.now), readers), total, students: of(pupil).length, guardians: new Set(of(guardian).map(one => one.user_id)).size, staff: of(staff).length,
    no_account: new Set(readers.filter(one => !one.has_account && one.user_id !== unbound).map(one => one.user_id)).size, unbound: readers.filter(one => one.user_id === unbound).length, by_dept,
    problem: audienceProblem(scopes, asked.scene, readers), needs_approval: total > approval_from && !ctx.me.codes.has(`${family.noun}.approve`),
  }
}
