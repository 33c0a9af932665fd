import { scope_kinds, scope_names } from '@campus/identity/contract'
import type { RoleScope } from '@campus/identity/contract'
import { Select } from 'antd'
import type { ReactNode } from 'react'
import { DeptsSelect } from '../dept-select.tsx'
import { kindName, scopeText } from '../role-words.ts'
import type { MatrixDraft } from './use-matrix-draft.ts'

type Kind = RoleScope['kind']

const meaning: Readonly<Record<Kind, string>> = {
  all: '学校的全部数据', own: '只看成员自己所在部门', own_below: '成员所在部门及其下级部门', class_teacher: '成员担任班主任的班级', teaching: '成员任课的班级',
  custom: '指定的部门及其下级部门', self: '只看成员自己', none: '看不到任何数据',
}

/** Over which departments and places the role works. Kinds the reader does not hold himself cannot be chosen. */
export function ScopeCard({ draft }: { draft: MatrixDraft }): ReactNode {
  const { base, scopes, setScope } = draft
  const dept = scopes.dept ?? base.scopes.dept
  const place = scopes.place ?? base.scopes.place
  const locked = base.locked !== null
  return (
    <section className="matrix-card" aria-label="数据范围">
      <h3>数据范围</h3>
      <label htmlFor="scope-dept">部门</label>
      <Select<Kind> id="scope-dept" className="kit-fill" disabled={locked} options={optionsOf(draft, 'dept', dept.kind)} value={dept.kind} onChange={kind => setScope('dept', { kind, ids: kind === base.scopes.dept.kind ? base.scopes.dept.ids : [] })} />
      <p className="role-small">{meaning[dept.kind]}</p>
      {dept.kind === 'custom' && (
        <>
          <DeptsSelect id="scope-depts" label="指定部门" known={base.scopes.dept} disabled={locked} value={[...dept.ids]} onChange={ids => setScope('dept', { kind: 'custom', ids })} />
          {dept.ids.length === 0 && <p className="kit-bad" role="alert">请选择范围</p>}
        </>
      )}
      <label htmlFor="scope-place">场所</label>
      <Select<Kind> id="scope-place" className="kit-fill" disabled={locked} options={optionsOf(draft, 'place', place.kind)} value={place.kind} onChange={kind => setScope('place', { kind, ids: kind === base.scopes.place.kind ? base.scopes.place.ids : [] })} />
      {place.kind === 'custom' && <p className="role-small">{scopeText('place', base.scopes.place)}</p>}
    </section>
  )
}

function optionsOf({ base }: MatrixDraft, dimension: 'dept' | 'place', chosen: Kind): { value: Kind; label: string; disabled: boolean; title?: string }[] {
  const words: Readonly<Partial<Record<Kind, string>>> = scope_names[dimension]
  const held = base.scope_kinds[dimension]
  return scope_kinds.flatMap(value => {
    if (words[value] === undefined && value !== chosen) return []
    const label = kindName(dimension, value)
    // Places have no picker yet: what was chosen stays, and nothing else can be.
    const without_picker = dimension === 'place' && value === 'custom' && base.scopes.place.kind !== 'custom'
    const refused = without_picker ? '还没有可选的场所' : held.includes(value) || value === chosen ? null : '您没有该范围'
    return { value, label: refused === null ? label : `${label}（${refused}）`, disabled: refused !== null }
  })
}
