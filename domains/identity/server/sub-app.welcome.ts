import { miniErrors } from '@campus/identity/contract'
import type { FamilyChild, MiniSession } from '@campus/identity/contract'
import { subApps } from '@campus/school/contract'
import { serviceSwitches } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { Desk, IdentityHandle } from './db.ts'
import { directory } from './directory.ts'
import { isSuperNo } from './gate.ts'
import type { Credentials } from './session.service.ts'
import { codesIn } from './standing.ts'
import { documentsToAccept } from './session-gate.ts'
import { findIdentity, findSuperIdentity } from './session.queries.ts'
import { familyPort } from './sub-app.family.ts'
import { manifestOf } from './sub-app.manifest.ts'

type Holder = { school_id: number; user_id: string; role_no: string; mini: { app_code: string } }

/** What the pages of a sub-application are told when their session begins or is renewed (chapter 80 §4). */
export async function welcome(desk: Desk, holder: Holder, { token, expire_at }: Credentials): Promise<MiniSession> {
  const { app_code } = holder.mini
  const fact = subApps.find(app => app.code === app_code)
  const docs = await desk.own(holder.school_id, db => documentsToAccept({ ...desk, db, school_id: holder.school_id, user_id: holder.user_id }))
  const told = await desk.own(holder.school_id, async db => ({ me: await personOf(desk, db, holder), school: await serviceSwitches(db, holder.school_id), codes: await codesOf(desk, db, holder) }))
  const { me, school, codes } = told
  if (!fact || !school || !me) throw fail(miniErrors.linkStale)
  const features = manifestOf(desk.app, app_code).features.filter(({ need }) => need === undefined || codes.has(need)).map(({ code }) => code)
  return {
    token,
    expire_at: expire_at.toISOString(),
    me,
    app: { code: fact.code, title: fact.title, features },
    school: { school_id: holder.school_id, school_name: school.school_name, school_type: school.school_type, logo: school.school_logo_url },
    docs_to_accept: docs,
  }
}

async function personOf(desk: Desk, db: IdentityHandle, { school_id, user_id, role_no }: Holder): Promise<MiniSession['me'] | undefined> {
  const person = await db
    .selectFrom('account as a')
    .leftJoin('school_user as u', join => join.onRef('u.user_id', '=', 'a.user_id').on('u.school_id', '=', school_id))
    .where('a.user_id', '=', user_id)
    .select(['a.username', 'u.user_no', 'u.user_name', 'u.user_kind'])
    .executeTakeFirst()
  const role = await roleOf(db, school_id, role_no)
  if (!person || !role) return undefined
  const [known] = directory.all(desk.app)
  const dept = known ? (await known.deptsOf(db, school_id, [user_id])).get(user_id) : undefined
  const [family] = familyPort.all(desk.app)
  const head_teacher = (await family?.headTeacherOf(db, school_id, user_id)) ?? null
  const name = person.username ?? ''
  return {
    user_id, user_no: person.user_no ?? name, user_name: person.user_name ?? name, user_kind: person.user_kind ?? 0, dept_name: dept ?? null,
    ...role, head_teacher, children: await childrenOf(desk, db, school_id, user_id),
  }
}

/** Name and group of the role of an identity; the synthetic one of a super account has no membership. */
export async function roleOf(db: IdentityHandle, school_id: number, role_no: string): Promise<{ role_name: string; role_group: string } | undefined> {
  if (isSuperNo(role_no)) return { role_name: '超级管理员', role_group: 'SYS001' }
  return db
    .selectFrom('role_member as m')
    .innerJoin('role as r', join => join.onRef('r.school_id', '=', 'm.school_id').onRef('r.role_id', '=', 'm.role_id'))
    .innerJoin('role_group as g', join => join.onRef('g.school_id', '=', 'r.school_id').onRef('g.role_group_id', '=', 'r.role_group_id'))
    .where('m.school_id', '=', school_id)
    .where('m.role_no', '=', role_no)
    .select(['r.name as role_name', 'g.code as role_group'])
    .executeTakeFirst()
}

async function childrenOf(desk: Desk, db: IdentityHandle, school_id: number, user_id: string): Promise<FamilyChild[]> {
  const [family] = familyPort.all(desk.app)
  const [known] = directory.all(desk.app)
  const children = family ? await family.childrenOf(db, school_id, user_id) : []
  if (children.length === 0) return []
  const names = known ? await known.labels(db, school_id, children.map(child => child.dept_id)) : new Map<string, string>()
  const school = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirst()
  return children.map(({ dept_id, ...child }) => ({ ...child, dept_name: names.get(dept_id) ?? '', school_name: school?.school_name ?? '' }))
}

async function codesOf(desk: Desk, db: IdentityHandle, { school_id, user_id, role_no }: Holder): Promise<ReadonlySet<string>> {
  if (isSuperNo(role_no)) return (await findSuperIdentity(db, school_id)) ? desk.app.codes : new Set()
  const identity = await findIdentity(db, school_id, user_id, role_no, desk.now)
  return identity ? codesIn(identity) : new Set()
}
