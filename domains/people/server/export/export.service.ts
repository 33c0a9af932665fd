import { enqueueJob } from '@campus/jobs/server'
import { peopleErrors } from '@campus/people/contract'
import type { deptExportApi, FieldFacet, parentExportApi, staffExportApi, studentExportApi } from '@campus/people/contract'
import { fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { liveFields } from '../field/ext.ts'
import { deptScope } from '../scope.ts'
import { deptRoster } from './dept.roster.ts'
import { export_kind, kept_hours } from './export.job.ts'
import type { ExportParams } from './export.job.ts'
import { sealKeyword } from './export.keyword.ts'
import { sizeFailure } from './export.size.ts'
import { parentRoster } from './parent.roster.ts'
import { staffRoster } from '../staff/staff.roster.ts'
import { studentRoster } from './student.roster.ts'

type Started = { job_no: string }

/** Starts the export of the pupils' list. @throws Refusal 422 reasonNeeded, exportTooBig; 404 for an unknown department */
export async function exportStudents(ctx: PeopleCtx, { fields, reason, ...filter }: Input<typeof studentExportApi.export>): Promise<Started> {
  await refuseGone(ctx, 'student', fields)
  const query = { ...filter, on: filter.on ?? schoolDay(ctx.now) }
  const total = await studentRoster.count(ctx, await deptScope(ctx, 'student', query.on), query)
  const { keyword, ...kept } = query
  return start(ctx, studentRoster.title, total, { list: 'student', query: kept, keyword_enc: sealKeyword(ctx, keyword), fields: fields ?? null, reason: reason || null })
}

/** Starts the export of the parents' list; as `exportStudents`. */
export async function exportParents(ctx: PeopleCtx, { fields, reason, ...filter }: Input<typeof parentExportApi.export>): Promise<Started> {
  const query = { ...filter, on: schoolDay(ctx.now) }
  const total = await parentRoster.count(ctx, await deptScope(ctx, 'student', query.on), query)
  const { keyword, ...kept } = query
  return start(ctx, parentRoster.title, total, { list: 'parent', query: kept, keyword_enc: sealKeyword(ctx, keyword), fields: fields ?? null, reason: reason || null })
}

/** Starts the export of the staff list; as `exportStudents`. */
export async function exportStaff(ctx: PeopleCtx, { fields, reason, ...filter }: Input<typeof staffExportApi.export>): Promise<Started> {
  await refuseGone(ctx, 'staff', fields)
  const query = { ...filter, on: schoolDay(ctx.now) }
  const total = await staffRoster.count(ctx, await deptScope(ctx, 'staff', query.on), query)
  const { keyword, ...kept } = query
  return start(ctx, staffRoster.title, total, { list: 'staff', query: kept, keyword_enc: sealKeyword(ctx, keyword), fields: fields ?? null, reason: reason || null })
}

/** Starts the export of the departments of a tree; they are no people and need no reason. */
export async function exportDepts(ctx: PeopleCtx, { tree, on = schoolDay(ctx.now) }: Input<typeof deptExportApi.export>): Promise<Started> {
  const roster = deptRoster(tree)
  const total = await roster.count(ctx, await deptScope(ctx, tree, on), { tree, on })
  const params: ExportParams = { list: 'dept', query: { tree, on }, fields: null, reason: null }
  const job_no = await enqueueJob(ctx, { kind: export_kind, title: `导出${roster.title}`, params, total, keep_hours: kept_hours })
  ctx.note({ target_kind: 'export', target_id: job_no, target_name: `${roster.title} ${total}个部门`, job_no })
  return { job_no }
}

/** @throws Refusal 422 fieldGone for a custom field that is not, or no longer, exported */
async function refuseGone(ctx: PeopleCtx, facet: FieldFacet, fields: readonly string[] = []): Promise<void> {
  const asked = fields.filter(field => field.startsWith('ext.'))
  const offered = asked.length === 0 ? [] : (await liveFields(ctx, facet)).filter(field => field.in_export)
  if (asked.some(name => offered.every(field => `ext.${field.field_code}` !== name))) throw fail(peopleErrors.fieldGone)
}

async function start(ctx: PeopleCtx, title: string, total: number, params: ExportParams): Promise<Started> {
  const { reason } = params
  const failure = sizeFailure(total, ctx.me.codes, reason)
  if (failure) throw fail(failure, failure === peopleErrors.reasonNeeded ? { errors: [{ field: 'reason', msg: failure.msg }] } : {})
  const job_no = await enqueueJob(ctx, { kind: export_kind, title: `导出${title}`, params, total, keep_hours: kept_hours })
  ctx.note({ target_kind: 'export', target_id: job_no, target_name: `${title} ${total}人`, job_no, reason: reason ?? undefined })
  return { job_no }
}
