import { most_staff, duties as duty_codes, TagMark } from '@campus/people/contract'
import type { staffApi, StaffRow } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { maskMobile } from '@kit/contract/checks'
import { sql } from 'kysely'
import { isIn, oneOf, validOn } from '../dated.ts'
import { photoUrl } from '../photo/photo-url.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { pathOn } from '../dept.queries.ts'
import { labelsOn, requireDept } from '../dept.service.ts'
import { parseKeyword, staffListed } from '../keyword.ts'
import { extFits, extOf } from '../field/roll.ts'
import { deptScope } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import type { RosterDesk } from '../student.filter.ts'
import { shownTags } from '../student.tags.ts'
import { marksOf } from '../tag.queries.ts'
import { countStaff, deptsOfStaff, dutiesOfStaff, pageStaff, rolesOfStaff, staffNames } from './staff.queries.ts'
import type { StaffFilter, StaffLine } from './staff.queries.ts'

/** The filter of the list without its paging. */
export type StaffAsked = Omit<Input<typeof staffApi.list>, 'page_index' | 'page_size'>

/** Staff at work today inside the scope, with departments, duties, roles and tags; mobiles masked. */
export async function listStaff(ctx: PeopleCtx, query: Input<typeof staffApi.list>): Promise<Reply<typeof staffApi.list>> {
  const on = schoolDay(ctx.now)
  const filter = await staffFilter(ctx, await deptScope(ctx, 'staff', on), query, on)
  if (!filter) return { list: [], total: 0 }
  const lines = await pageStaff(ctx.db, filter, query.sort ?? 'teacher_no', query)
  return { list: await staffRows(ctx, lines, on), total: await countStaff(ctx.db, filter) }
}

/** Id, name and number of everybody at work inside the scope, by number; at most 5,000. */
export async function allStaff(ctx: PeopleCtx): Promise<Reply<typeof staffApi.all>> {
  const on = schoolDay(ctx.now)
  return { list: await staffNames(ctx.db, { school_id: ctx.school_id, on, scope: await deptScope(ctx, 'staff', on) }, most_staff) }
}

/** Null when the asked department does not stand on that day: nobody is in it. */
export async function staffFilter(desk: RosterDesk, scope: DeptScope, query: StaffAsked, on: string): Promise<StaffFilter | null> {
  const { db, school_id, app } = desk
  const { dept_id, include_sub, kind, state, subject, title, duty, tag_ids } = query
  await requireDept(desk, dept_id)
  const path = dept_id !== undefined && include_sub ? await pathOn(db, school_id, dept_id, on) : undefined
  if (dept_id !== undefined && include_sub && path === undefined) return null
  const keyword = parseKeyword(query.keyword)
  return {
    school_id, on, scope, path, kind, state, subject, title, duty,
    dept_id: path === undefined ? dept_id : undefined,
    keyword: keyword ? staffListed(keyword, app.secrets) : undefined,
    ext: query.ext === undefined ? undefined : await extFits(desk, 'staff', query.ext),
    tagged: tag_ids === undefined ? undefined : await staffTagged(desk, tag_ids, on),
  }
}

/** Tags of rules are of pupils alone, so staff have those that were given by hand. */
async function staffTagged(desk: RosterDesk, tag_ids: readonly string[], on: string) {
  const asked = (await shownTags(desk)).filter(tag => tag_ids.includes(tag.id)).map(tag => tag.id)
  return isIn('s.user_id', sql`select k.user_id from tag_link k where k.school_id = ${desk.school_id} and ${oneOf('k.tag_id', asked)} and ${validOn('k', on)}`)
}

/** Staff as the list shows them. */
export async function staffRows(desk: RosterDesk, lines: readonly StaffLine[], on: string): Promise<StaffRow[]> {
  if (lines.length === 0) return []
  const { db, school_id } = desk
  const ids = lines.map(line => line.user_id)
  const depts = await deptsOfStaff(db, school_id, ids, on)
  const duties = await dutiesOfStaff(db, school_id, ids, on)
  const labels = await labelsOn(desk, [...depts, ...duties].map(row => row.dept_id), on)
  const roles = Map.groupBy(await rolesOfStaff(db, school_id, ids), role => role.user_id)
  const tags = await tagsOfStaff(desk, ids, on)
  const custom = await extOf(desk, 'staff', ids)
  const label = (dept_id: string) => labels.get(dept_id) ?? ''
  return lines.map(({ mobile, updated_at, photo_file_key, ...line }) => ({
    ...line,
    user_serial: line.user_id,
    user_no: line.teacher_no,
    mobile: mobile === null ? null : maskMobile(mobile),
    depts: depts.flatMap(({ user_id, ...dept }) => (user_id === line.user_id ? [{ ...dept, dept_name: label(dept.dept_id) }] : [])),
    duties: duties.flatMap(({ user_id, duty, dept_id }) => (user_id === line.user_id ? dutyOf(duty, dept_id, label(dept_id)) : [])),
    roles: (roles.get(line.user_id) ?? []).map(({ id, name }) => ({ id, name })),
    tags: tags.get(line.user_id) ?? [],
    ext: custom.get(line.user_id) ?? {},
    photo_url: photoUrl(desk, photo_file_key),
    updated_at: updated_at.toISOString(),
  }))
}

function dutyOf(code: string, dept_id: string, dept_name: string): StaffRow['duties'] {
  const duty = duty_codes.find(one => one === code)
  return duty ? [{ duty, dept_id, dept_name }] : []
}

async function tagsOfStaff(desk: RosterDesk, user_ids: readonly string[], on: string): Promise<Map<string, TagMark[]>> {
  const tags = await shownTags(desk)
  const given = tags.length === 0 ? [] : await marksOf(desk.db, desk.school_id, user_ids, on)
  return new Map([...Map.groupBy(given, mark => mark.user_id)].map(([user_id, marks]) => [user_id, tags.filter(tag => marks.some(mark => mark.id === tag.id)).map(tag => TagMark.parse(tag))]))
}
