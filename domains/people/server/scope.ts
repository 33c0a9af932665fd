import type { Ctx, Me, Scope } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'
import { oneOf, validOn } from './dated.ts'
import { schoolDay } from './day.ts'

/** The departments whose people an identity may see: all of the tree, or these. */
export type DeptScope = 'all' | readonly string[]

export type Tree = 'student' | 'staff'

/** Who asks, in which school, when. */
export type Asker = { db: QueryExecutorProvider; school_id: number; me: Pick<Me, 'user_id' | 'user_dep' | 'scopes' | 'acted_for'>; now: Date }

/** Where a scope begins: departments alone, departments with everything below, and whether the person's own ones come in. */
export type ScopeRoots = { all: boolean; exact: readonly string[]; below: readonly string[]; own: 'none' | 'exact' | 'below' }

const own_department = '1'

/**
 * The row scope of the acting identity in the department dimension: role scope × today's facts × tree, widened by live
 * delegations (chapter 20 §1.6). Every `within` dept, student_dept or staff_dept goes through here.
 * @param on the day whose tree counts; default today
 */
export async function deptScope(ctx: Asker & { scoped(): void }, tree: Tree, on: string = schoolDay(ctx.now)): Promise<DeptScope> {
  ctx.scoped()
  return visibleDepts(ctx, tree, on)
}

/** The same for work without a request (imports, exports), which carries the identity of the moment it was asked for. */
export async function visibleDepts({ db, school_id, me, now }: Asker, tree: Tree, on: string = schoolDay(now)): Promise<DeptScope> {
  const roots = scopeRoots(me.scopes.dept, me.user_dep)
  if (roots.all) return 'all'
  const own = roots.own === 'none' ? [] : await departmentsOf(db, school_id, me.acted_for?.user_id ?? me.user_id, on)
  const exact = roots.own === 'exact' ? [...roots.exact, ...own] : roots.exact
  const below = roots.own === 'below' ? [...roots.below, ...own] : roots.below
  if (exact.length + below.length === 0) return []
  // Everything below a path lies between it and the same text with its last slash turned into 0, the next sign.
  const { rows } = await sql<{ dept_id: string }>`
    select v.dept_id from dept_version v join dept d on d.school_id = v.school_id and d.id = v.dept_id
    where v.school_id = ${school_id} and d.school_id = ${school_id} and d.tree in (${tree}, 'both') and ${validOn('v', on)}
      and (${oneOf('v.dept_id', exact)} or exists (
        select from dept_version r where r.school_id = ${school_id} and ${oneOf('r.dept_id', below)} and ${validOn('r', on)}
          and v.node_path >= r.node_path and v.node_path < left(r.node_path, -1) || '0'))`.execute(db)
  return rows.map(row => row.dept_id)
}

/** What a role scope means before the tree is asked. */
export function scopeRoots(scope: Scope, user_dep: string): ScopeRoots {
  const facts = (kind: Scope['facts'][number]['kind']) => scope.facts.filter(fact => fact.kind === kind).map(fact => fact.id)
  const delegated = facts('delegated')
  const roots = { all: false, exact: [], below: delegated, own: 'none' } as const
  const held = user_dep === own_department ? null : user_dep
  switch (scope.kind) {
    case 'all':
      return { ...roots, all: true }
    case 'own':
      return held === null ? { ...roots, own: 'exact' } : { ...roots, exact: [held] }
    case 'own_below':
      return held === null ? { ...roots, own: 'below' } : { ...roots, below: [...delegated, held] }
    case 'class_teacher':
    case 'teaching':
      return { ...roots, below: [...delegated, ...facts(scope.kind)] }
    case 'custom':
      return { ...roots, below: [...delegated, ...scope.ids] }
    case 'self':
    case 'none':
      return roots
  }
}

/** The people of `within: self`: the acting person and the children on the roll he is linked to today. */
export async function selfScope<DB>(ctx: Ctx<DB>): Promise<string[]> {
  ctx.scoped()
  const { rows } = await sql<{ student_user_id: string }>`
    select g.student_user_id from guardian_link g
    where g.school_id = ${ctx.school_id} and g.parent_user_id = ${ctx.me.user_id} and ${validOn('g', schoolDay(ctx.now))}
      and exists (select from student_span t where t.school_id = ${ctx.school_id} and t.user_id = g.student_user_id
        and ${validOn('t', schoolDay(ctx.now))})`.execute(ctx.db)
  return [ctx.me.user_id, ...rows.map(row => row.student_user_id)]
}

/** The condition that a department column lies in the scope. */
export function inScope(column: string, scope: DeptScope): RawBuilder<boolean> {
  return scope === 'all' ? sql<boolean>`true` : oneOf(column, scope)
}

async function departmentsOf(db: QueryExecutorProvider, school_id: number, user_id: string, on: string): Promise<string[]> {
  const { rows } = await sql<{ dept_id: string }>`
    select m.dept_id from dept_member m
    where m.school_id = ${school_id} and m.user_id = ${user_id} and m.member_kind = 'staff' and ${validOn('m', on)}`.execute(db)
  return rows.map(row => row.dept_id)
}
