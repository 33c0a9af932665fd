import { appRoleApi } from '@campus/identity/contract'
import type { AppRoleView, BindOutcome } from '@campus/identity/contract'
import { call, useSaving } from '@kit/web'
import type { Saving } from '@kit/web'
import { useState } from 'react'
import type { ChosenPerson } from '../member/people-select.tsx'
import { useAppRolesChanged } from './use-app-roles.ts'

type Outcome = BindOutcome
type Wish = { is_for_all?: boolean; dept_ids?: string[]; role_group_ids?: string[]; added: ChosenPerson[]; dropped: ChosenPerson[] }

/** Whom a role is to reach, not saved yet. What is absent in the wish stays as it is. */
export type PeopleDraft = {
  is_for_all: boolean
  dept_ids: string[]
  role_group_ids: string[]
  added: ChosenPerson[]
  dropped: ChosenPerson[]
  change: (wish: Partial<Wish>) => void
  is_dirty: boolean
  /** what the server is asked for the count */
  query: { role_id: string; is_for_all: boolean; dept_ids: string[]; role_group_ids: string[]; add_user_ids: string[]; drop_user_ids: string[] }
  saving: Saving
  /** what was refused of the last saving */
  refused: Outcome[]
  save: () => Promise<void>
  discard: () => void
}

const nothing: Wish = { added: [], dropped: [] }

/** The draft over the bindings as they were read. */
export function usePeopleDraft(role: AppRoleView): PeopleDraft {
  const [wish, setWish] = useState<Wish>(nothing)
  const [refused, setRefused] = useState<Outcome[]>([])
  const saving = useSaving()
  const changed = useAppRolesChanged()
  const saved = { dept_ids: role.depts.map(({ id }) => id), role_group_ids: role.role_groups.map(({ id }) => id) }
  const { is_for_all = role.is_for_all, dept_ids = saved.dept_ids, role_group_ids = saved.role_group_ids, added, dropped } = wish
  const is_dirty = is_for_all !== role.is_for_all || added.length + dropped.length > 0 || differs(dept_ids, saved.dept_ids) || differs(role_group_ids, saved.role_group_ids)
  const query = { role_id: role.role_id, is_for_all, dept_ids, role_group_ids, add_user_ids: added.map(({ value }) => value), drop_user_ids: dropped.map(({ value }) => value) }
  const save = async () => {
    const told: Outcome[] = []
    setRefused([])
    const done = await saving.run(async () => {
      for (const step of stepsOf(role, query, saved)) told.push(...(await step()).list)
    })
    setRefused(told.filter(({ error }) => error !== null))
    await changed()
    if (done) setWish(nothing)
  }
  return { is_for_all, dept_ids, role_group_ids, added, dropped, change: more => setWish(before => ({ ...before, ...more })), is_dirty, query, saving, refused, save, discard: () => setWish(nothing) }
}

type Step = () => Promise<{ list: Outcome[] }>
type Saved = { dept_ids: string[]; role_group_ids: string[] }

/** The calls that turn what is saved into what is wished: what comes in before what goes out, so that nobody loses his modules on the way. */
function stepsOf(role: AppRoleView, wish: PeopleDraft['query'], saved: Saved): Step[] {
  const { role_id, is_for_all } = wish
  const more = (now: string[], had: string[]) => now.filter(id => !had.includes(id))
  const steps: [string[], (ids: string[]) => Promise<{ list: Outcome[] }>][] = [
    [more(wish.dept_ids, saved.dept_ids), dept_ids => call(appRoleApi.bindDept, { role_id, dept_ids }, { quiet: true })],
    [more(wish.role_group_ids, saved.role_group_ids), role_group_ids => call(appRoleApi.bindRoleGroup, { role_id, role_group_ids }, { quiet: true })],
    [wish.add_user_ids, user_ids => call(appRoleApi.bindUser, { role_id, user_ids }, { quiet: true })],
    [more(saved.dept_ids, wish.dept_ids), dept_ids => call(appRoleApi.unbindDept, { role_id, dept_ids }, { quiet: true })],
    [more(saved.role_group_ids, wish.role_group_ids), role_group_ids => call(appRoleApi.unbindRoleGroup, { role_id, role_group_ids }, { quiet: true })],
    [wish.drop_user_ids, user_ids => call(appRoleApi.unbindUser, { role_id, user_ids }, { quiet: true })],
  ]
  const bound = steps.filter(([ids]) => ids.length > 0).map(([ids, send]): Step => () => send(ids))
  const everyone: Step = async () => {
    await call(appRoleApi.bindAll, { role_id, is_for_all }, { quiet: true })
    return { list: [] }
  }
  if (is_for_all === role.is_for_all) return bound
  return is_for_all ? [everyone, ...bound] : [...bound, everyone]
}

function differs(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join() !== b.toSorted().join()
}
