import type { Dimension, NewRole, ScopeKind } from '@campus/identity/server'
import source from './data/school.json' with { type: 'json' }

/**
 * A role of the demo. `grants` are patterns over permission codes, so that a role receives what the product can do at the time the
 * school is made: `*` stands for anything, a leading `!` takes away.
 */
export type PlannedRole = NewRole & { grants: readonly string[]; scope: ScopeKind }

type Rule = { grants: readonly string[]; scope: ScopeKind }

const app_only: Rule = { grants: [], scope: 'none' }
const colleagues = ['people.dept.view', 'people.staff.view', 'insight.dashboard.view', 'insight.stat.view'] as const
const pupils = ['people.dept.view', 'people.student.view', 'people.parent.view', 'insight.dashboard.view', 'insight.stat.view'] as const

/** What the given roles may do. The role of super accounts (超级管理员) is made with every school and needs no rule. */
const rules: Readonly<Record<string, Rule>> = {
  SYS001_SchoolAdmin: { grants: ['*'], scope: 'all' },
  SYS001_ItAdmin: { grants: [...colleagues, 'people.student.view', 'identity.*', 'school.*', 'devices.*', 'places.*', 'jobs.*', 'faces.*', 'cards.*', 'messages.*'], scope: 'all' },
  SYS001_Logistics: { grants: [...colleagues, 'places.*', 'repair.*', 'parking.*', 'canteen.*', 'dorm.*', 'transport.*.view'], scope: 'all' },
  SYS001_Security: { grants: [...colleagues, 'people.student.view', 'access.*', 'devices.*.view', 'parking.*'], scope: 'all' },
  SYS001_Canteen: { grants: ['people.dept.view', 'canteen.*', 'finance.till.*'], scope: 'all' },
  SYS001_BusAdmin: { grants: [...pupils, 'transport.*'], scope: 'all' },
  SYS001_Dorm: { grants: [...pupils, 'dorm.*', 'leave.*.view'], scope: 'all' },
  SYS001_Expressman: app_only,
  SYS002_Principal: { grants: ['*.view', '*.export'], scope: 'all' },
  SYS002_VicePrincipal: { grants: ['*.view', '!audit.*', '!identity.*'], scope: 'all' },
  SYS002_Academic: { grants: [...colleagues, 'people.*', '!people.staff.edit', '!people.delete.*', '!people.merge.*', 'calendar.*', 'teaching.*', 'exams.*', 'attendance.*', 'jobs.*'], scope: 'all' },
  SYS002_Moral: { grants: [...pupils, 'people.student.export', 'evaluation.*', 'leave.*', 'publishing.*', 'health.*.view'], scope: 'all' },
  SYS002_GradeHead: { grants: [...colleagues, ...pupils, 'people.student.*', '!people.student.import', 'attendance.*', 'leave.*', 'exams.*.view', 'evaluation.*.view'], scope: 'own_below' },
  SYS002_SubjectHead: { grants: [...colleagues, 'teaching.*', 'exams.*', 'publishing.resource.*'], scope: 'own_below' },
  SYS002_Hr: { grants: [...colleagues, 'people.staff.*', 'people.dept.*', 'approval.*', 'leave.*.view', 'jobs.*'], scope: 'all' },
  SYS002_Finance: { grants: [...colleagues, 'people.student.view', 'people.picker.use', 'people.sign.*', 'people.recharge.*', 'people.whitelist.*', 'finance.*'], scope: 'all' },
  SYS003_Teacher: { grants: ['people.dept.view', 'people.student.view', 'teaching.*.view', 'exams.*.view', 'exams.score.enter', 'exams.presence.enter', 'attendance.rollcall.take', 'evaluation.star.view', 'evaluation.star.give', 'publishing.*.view'], scope: 'teaching' },
  SYS003_ClassTeacher: { grants: [...pupils, 'attendance.*', 'leave.apply.*', 'leave.record.*', 'leave.recover.*', 'publishing.*', 'evaluation.*'], scope: 'class_teacher' },
  SYS003_Staff: { grants: [...colleagues, 'publishing.*.view'], scope: 'own' },
  SYS003_Doctor: { grants: [...pupils, 'health.*', 'leave.*.view'], scope: 'all' },
  SYS003_Librarian: { grants: ['people.dept.view', 'people.student.view', 'people.staff.view', 'publishing.resource.*'], scope: 'all' },
  SYS004_Student: app_only,
  SYS004_Monitor: app_only,
  SYS005_Parent: app_only,
  SYS005_Committee: app_only,
}

/** The 26 roles of the main school in their five groups, with the headcount each is given. */
export const main_roles: readonly { code: string; name: string; group: string; users: number }[] = source.roles

/** Roles the school made for itself; each shows one thing at the login page. */
export const own_roles = {
  auditor: { code: 'CUS_1', name: '审计员', group_code: 'SYS001', grants: ['audit.*'], scope: 'all' },
  unassigned: { code: 'CUS_2', name: '待分配', group_code: 'SYS003', grants: [], scope: 'none' },
  phone_only: {
    code: 'CUS_3', name: '移动值班员', group_code: 'SYS003', grants: [...pupils, 'access.*.view', 'leave.*.view'], scope: 'own_below',
    allow_login_web: 1, allow_login_web_text: '请使用手机端登录',
  },
} as const satisfies Record<string, PlannedRole>

/** The given roles, all but that of super accounts. */
export function plannedRoles(): PlannedRole[] {
  return main_roles.flatMap(({ code, name, group }) => {
    const rule = rules[code]
    return rule ? [{ code, name, group_code: group, is_system: true, scope: rule.scope, grants: withPickers(rule.grants) }] : []
  })
}

/** Whoever works in the console chooses people in its forms (chapter 20 §4, people.picker.use). */
function withPickers(grants: readonly string[]): readonly string[] {
  return grants.length === 0 ? grants : [...grants, 'people.picker.use']
}

/** The codes of `known` that the patterns grant, in alphabetical order. */
export function codesOf(grants: readonly string[], known: Iterable<string>): string[] {
  const wanted = grants.filter(grant => !grant.startsWith('!')).map(patternOf)
  const refused = grants.filter(grant => grant.startsWith('!')).map(grant => patternOf(grant.slice(1)))
  const fits = (code: string) => wanted.some(pattern => pattern.test(code)) && !refused.some(pattern => pattern.test(code))
  return [...new Set(known)].filter(fits).toSorted()
}

/** Both dimensions in which a role works over rows. */
export const dimensions: readonly Dimension[] = ['dept', 'place']

function patternOf(grant: string): RegExp {
  return new RegExp(`^${grant.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
}
