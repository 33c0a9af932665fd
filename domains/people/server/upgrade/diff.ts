import type { UpgradeAction, UpgradeDiff, UpgradeRow } from '@campus/people/contract'
import { sql } from 'kysely'
import { oneOf } from '../dated.ts'
import type { PeopleCtx } from '../db.ts'
import { namesOf } from '../dept.edit.queries.ts'
import { deptLabel } from '../dept.label.ts'
import { nameFormat } from '../dept.queries.ts'
import { cohortsOf } from './decide.ts'
import type { Decided } from './decide.ts'
import { gradeAfter } from './grade.ts'
import { upgradeImpactPort } from './impact-port.ts'
import type { Made, Outcome } from './simulate.ts'
import type { SnapDept, Snapshot } from './snapshot.ts'

const kinds: Readonly<Record<UpgradeAction, UpgradeRow['kind']>> = { UPGRADE: 'renamed', GRADUATE: 'graduated', CONTINUE: 'continued', HOLD: 'same', CLOSE: 'closed' }

/** Labels of departments before and after. */
type Labels = { before(dept: SnapDept): string; after(id: string): string | null }

/** The comparison of before and after that people look at and sign. */
export async function diffOf(ctx: PeopleCtx, snapshot: Snapshot, decided: Decided, outcome: Outcome): Promise<UpgradeDiff> {
  const labels = labelsOf(snapshot, outcome, await nameFormat(ctx.db, ctx.school_id), ctx.me.dept_is_exact)
  const depts = new Map(snapshot.depts.map(dept => [dept.dept_id, dept]))
  const homes = new Map(snapshot.pupils.map(pupil => [pupil.user_id, pupil.dept_id]))
  const moves = new Map(outcome.moves.map(move => [move.user_id, move]))
  const user_ids = [...decided.people.map(person => person.user_id), ...outcome.unmapped.flatMap(one => one.user_id ?? [])]
  const names = await namesOf(ctx.db, ctx.school_id, user_ids)
  const before = (dept_id: string | undefined) => {
    const dept = depts.get(dept_id ?? '')
    return dept ? labels.before(dept) : ''
  }
  return {
    base_hash: outcome.base_hash,
    plan_hash: outcome.plan_hash,
    totals: outcome.totals,
    rows: rowsOf(snapshot, decided, outcome, labels),
    people: decided.people.map(({ user_id, action }) => ({ user_id, user_name: names.get(user_id) ?? '', action, old_label: before(homes.get(user_id)), new_label: labels.after(moves.get(user_id)?.to ?? '') })),
    duties: await dutiesOf(ctx, snapshot, outcome, before),
    impact: await impactOf(ctx, snapshot, decided),
    unmapped: outcome.unmapped.map(one => (one.user_id === null ? one : { ...one, name: names.get(one.user_id) ?? '' })),
  }
}

function rowsOf(snapshot: Snapshot, decided: Decided, { made, sizes }: Outcome, labels: Labels): UpgradeRow[] {
  const actions = new Map(decided.items.map(item => [item.dept_id, item.action]))
  const counted = Map.groupBy(snapshot.pupils, pupil => pupil.dept_id)
  const below = (id: string, size: (dept_id: string) => number) => cohortsOf(snapshot).filter(dept => dept.parent_id === id).reduce((sum, dept) => sum + size(dept.dept_id), size(id))
  const was = (id: string) => counted.get(id)?.length ?? 0
  const is = (id: string) => sizes.get(id) ?? 0
  const standing = cohortsOf(snapshot).map((dept): UpgradeRow => {
    const { dept_id, dept_type, capacity } = dept
    const action = actions.get(dept_id) ?? null
    return { dept_id, dept_type, kind: action === null ? 'open' : kinds[action], action, old_label: labels.before(dept), new_label: labels.after(dept_id), before: below(dept_id, was), after: below(dept_id, is), capacity }
  })
  const opened = made.map(({ key, dept_type, capacity }): UpgradeRow => {
    const after = made.filter(other => other.parent === key).reduce((sum, other) => sum + is(other.key), is(key))
    return { dept_id: null, dept_type, kind: 'new', action: null, old_label: null, new_label: labels.after(key), before: 0, after, capacity }
  })
  return [...standing, ...opened]
}

function labelsOf({ depts }: Snapshot, { renewals, closings, made }: Outcome, format: number, exact: boolean): Labels {
  const standing = new Map(depts.map(dept => [dept.dept_id, dept]))
  const renewed = new Map(renewals.map(renewal => [renewal.dept_id, renewal]))
  const opened = new Map(made.map(dept => [dept.key, dept]))
  const pathOf = (dept: SnapDept, name: (id: string) => string) => dept.node_path.split('/').filter(id => id !== '').map(name).join('/')
  const old_name = (id: string) => standing.get(id)?.dept_name ?? ''
  const new_name = (id: string) => renewed.get(id)?.dept_name ?? old_name(id)
  const newPath = ({ parent, dept_name }: Made): string => {
    const above = opened.get(parent ?? '')
    const stands = standing.get(parent ?? '')
    return `${above ? newPath(above) : stands ? pathOf(stands, new_name) : ''}/${dept_name}`
  }
  return {
    before: dept => deptLabel({ ...dept, pt_node_path_name: pathOf(dept, old_name) }, format, exact),
    after: id => {
      const dept = standing.get(id)
      const fresh = opened.get(id)
      if (fresh) return deptLabel({ ...fresh, pt_node_path_name: newPath(fresh) }, format, exact)
      if (!dept) return null
      const path = pathOf(dept, new_name)
      return deptLabel({ ...dept, ...renewed.get(id), pt_node_path_name: path, is_closed: closings.includes(id) }, format, exact)
    },
  }
}

/** Duties that end with the class they belong to. */
async function dutiesOf({ db, school_id }: PeopleCtx, { on }: Snapshot, { closings }: Outcome, label: (dept_id: string) => string): Promise<UpgradeDiff['duties']> {
  const { rows } = await sql<{ user_id: string; dept_id: string }>`
    select distinct y.user_id, y.dept_id from dept_duty y
    where y.school_id = ${school_id} and ${oneOf('y.dept_id', closings)} and (y.valid_to is null or y.valid_to > ${on}::date) order by y.dept_id, y.user_id`.execute(db)
  const names = await namesOf(db, school_id, rows.map(row => row.user_id))
  return rows.map(({ user_id, dept_id }) => ({ user_id, user_name: names.get(user_id) ?? '', dept_name: label(dept_id) }))
}

/** What every domain that knows classes or grades says to it. */
async function impactOf({ db, app, school_id, now }: PeopleCtx, snapshot: Snapshot, decided: Decided): Promise<UpgradeDiff['impact']> {
  const actions = new Map(decided.items.map(item => [item.dept_id, item.action]))
  const cohorts = cohortsOf(snapshot).flatMap(({ dept_id, dept_type, grade }) => {
    const action = actions.get(dept_id) ?? null
    return action === null || action === 'HOLD' ? [] : [{ dept_id, dept_type, action, from_grade: grade, to_grade: gradeAfter(action, grade) }]
  })
  const found: UpgradeDiff['impact'] = []
  for (const { domain, impact } of upgradeImpactPort.all(app)) {
    const told = await impact({ db, school_id, now, effective_on: snapshot.on, cohorts })
    found.push(...told.map(one => ({ domain, ...one })))
  }
  return found
}
