import { appRoleApi } from '@campus/identity/contract'
import type { AppRoleView } from '@campus/identity/contract'
import { call, mayDiscard, useCan } from '@kit/web'
import { useBlocker } from '@tanstack/react-router'
import { Alert, Button, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { DeptsSelect } from '../dept-select.tsx'
import { OutcomeList } from '../member/outcome-list.tsx'
import { PeopleSelect } from '../member/people-select.tsx'
import { useRoleGroups } from '../use-roles.ts'
import { useKind } from './app-kind.ts'
import { ReachTable } from './reach-table.tsx'
import { SaveBar } from './save-bar.tsx'
import { usePeopleDraft } from './use-people-draft.ts'
import type { PeopleDraft } from './use-people-draft.ts'

const most_at_once = 20

/** 人员: whom the role reaches, by what they are or one by one, and what that comes to before it is saved. */
export function PeopleTab({ role }: { role: AppRoleView }): ReactNode {
  const draft = usePeopleDraft(role)
  const may_edit = useCan(appRoleApi.bindDept)
  const { is_dirty } = draft
  useBlocker({ shouldBlockFn: async () => is_dirty && !(await mayDiscard()), enableBeforeUnload: () => is_dirty, disabled: !is_dirty })
  return (
    <>
      {!role.enabled && <Alert type="info" showIcon title="该角色已停用，启用后才会对下列人员生效" />}
      {draft.refused.length > 0 && <OutcomeList outcomes={draft.refused.map(({ id, name, error }) => ({ key: id, name: name ?? id, error }))} />}
      <div className="app-role-people">
        <RangeCard role={role} draft={draft} locked={!may_edit} />
        <ReachTable draft={draft} can_edit={may_edit} />
      </div>
      <SaveBar saving={draft.saving} is_dirty={is_dirty} text={sentenceOf(draft)} save={() => void draft.save()} discard={draft.discard} />
    </>
  )
}

function sentenceOf({ added, dropped }: PeopleDraft): string {
  return ['人员范围已修改', added.length > 0 && `新指定${added.length}人`, dropped.length > 0 && `移出${dropped.length}人`].filter(Boolean).join('，')
}

type CardProps = { role: AppRoleView; draft: PeopleDraft; locked: boolean }

function RangeCard({ role, draft, locked }: CardProps): ReactNode {
  const { who } = useKind()
  const { is_for_all, dept_ids, role_group_ids, added, dropped, change } = draft
  const known = { ids: role.depts.map(({ id }) => id), names: role.depts.map(({ name }) => name) }
  return (
    <section className="matrix-card app-role-range" aria-label="人员范围">
      <h3>人员范围 <small>满足任意一项即可</small></h3>
      <div className="app-role-range-all">
        <label htmlFor="app-all">全部{who}</label>
        <Switch id="app-all" aria-label={`全部${who}`} disabled={locked} checked={is_for_all} onChange={checked => change({ is_for_all: checked })} />
      </div>
      {is_for_all && <p className="role-small">新入校的{who}自动包含，下面的范围可以不选。</p>}
      <label htmlFor="app-depts">部门/年级</label>
      <DeptsSelect id="app-depts" label="部门/年级" known={known} disabled={locked} value={dept_ids} onChange={ids => change({ dept_ids: ids })} />
      <p className="role-small">{deptHint(role.client_kind)}</p>
      <label htmlFor="app-groups">角色组</label>
      <GroupsSelect role={role} locked={locked} value={role_group_ids} onChange={ids => change({ role_group_ids: ids })} />
      <label htmlFor="app-users">指定人员</label>
      {!locked && <PeopleSelect id="app-users" value={added} onChange={people => change({ added: people })} source={{ key: role.role_id, find: findPeople(role) }} />}
      <p className="role-small">已指定{role.user_count.toLocaleString('zh-CN')}人，可在右侧按来源“指定人员”查看和移出。</p>
      {dropped.length > 0 && <p className="role-small kit-bad">将移出{dropped.length}人：{dropped.slice(0, 3).map(({ label }) => label).join('、')}{dropped.length > 3 && '等'} <Button type="link" size="small" onClick={() => change({ dropped: [] })}>撤销</Button></p>}
    </section>
  )
}

function deptHint(kind: AppRoleView['client_kind']): string {
  return kind === 'parent' ? '所选年级、班级学生的家长，含下级部门' : kind === 'student' ? '所选年级、班级的学生，含下级部门' : '所选部门的人员，含下级部门'
}

type GroupsProps = { role: AppRoleView; locked: boolean; value: string[]; onChange: (ids: string[]) => void }

/** Groups of the console for staff; pupils and parents have one of their own each. */
function GroupsSelect({ role, locked, value, onChange }: GroupsProps): ReactNode {
  const { data = [], isFetching } = useRoleGroups()
  const wanted = role.client_kind === 'teacher' ? 'web' : role.client_kind
  const options = data.filter(group => group.client_kind === wanted).map(group => ({ value: group.role_group_id, label: group.name }))
  return <Select<string[]> id="app-groups" aria-label="角色组" className="kit-fill" mode="multiple" showSearch={{ optionFilterProp: 'label' }} loading={isFetching} disabled={locked} placeholder="持有组内任一角色的人员" options={options} value={value} onChange={onChange} />
}

/** Everybody whom a role of this kind can reach at all, by the same call that counts. */
function findPeople({ role_id }: AppRoleView) {
  return async (keyword: string, signal: AbortSignal) => (await call(appRoleApi.reach, { role_id, is_for_all: true, keyword, page_index: 1, page_size: most_at_once }, { quiet: true, signal })).list
}
