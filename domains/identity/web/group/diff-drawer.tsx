import { roleApi } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import type { Reply } from '@kit/contract'
import { AppDrawer, call } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Empty, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { scopeText } from '../role-words.ts'

type Diff = Reply<typeof roleApi.diff>

/** Two roles side by side: what one may do and the other may not, or everything. */
export function DiffDrawer({ role, roles, onClose }: { role: RoleRow; roles: readonly RoleRow[]; onClose: () => void }): ReactNode {
  const [other, setOther] = useState<string>()
  const [all, setAll] = useState(false)
  const query = useQuery({
    queryKey: [roleApi.diff.call, role.role_id, other],
    queryFn: ({ signal }) => call(roleApi.diff, { a: role.role_id, b: other ?? '' }, { signal, quiet: true }),
    enabled: other !== undefined,
  })
  const options = roles.filter(one => one.role_id !== role.role_id).map(one => ({ value: one.role_id, label: one.name }))
  return (
    <AppDrawer size={720} title={`对比角色：${role.name}`} onClose={onClose}>
      <div className="role-diff-head">
        <label htmlFor="role-diff-other">与</label>
        <Select id="role-diff-other" className="role-diff-other" showSearch={{ optionFilterProp: 'label' }} placeholder="选择另一个角色" options={options} value={other} onChange={setOther} />
        <Checkbox checked={all} onChange={event => setAll(event.target.checked)}>显示相同的权限</Checkbox>
      </div>
      {other === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择另一个角色后，这里列出两者的差异" /> : query.data ? <DiffTable diff={query.data} all={all} /> : <PartState query={query} />}
    </AppDrawer>
  )
}

function DiffTable({ diff: { a, b, ops }, all }: { diff: Diff; all: boolean }): ReactNode {
  const scopes = (['dept', 'place'] as const).map(dimension => ({ title: dimension === 'dept' ? '部门' : '场所', in_a: scopeText(dimension, a.scopes[dimension]), in_b: scopeText(dimension, b.scopes[dimension]) }))
  const shown_scopes = scopes.filter(({ in_a, in_b }) => all || in_a !== in_b)
  const shown = ops.filter(({ in_a, in_b }) => all || in_a !== in_b)
  const other = ops.filter(({ in_a, in_b }) => in_a !== in_b).length
  return (
    <>
      <p className="role-note" aria-live="polite">{other === 0 ? '两个角色的权限完全相同' : `${other}项权限不同，${ops.length - other}项相同`}</p>
      {shown.length + shown_scopes.length > 0 && (
        <table className="role-table">
          <thead><tr><th scope="col">权限</th><th scope="col">{a.name}</th><th scope="col">{b.name}</th></tr></thead>
          <tbody>
            {shown_scopes.map(({ title, in_a, in_b }) => <tr key={title} data-other={in_a !== in_b}><th scope="row">数据范围 {title}</th><td>{in_a}</td><td>{in_b}</td></tr>)}
            {shown.map(op => (
              <tr key={op.code} data-other={op.in_a !== op.in_b}>
                <th scope="row"><small>{op.module_name}</small> {op.noun_name} · {op.verb_name}</th>
                <td><Mark held={op.in_a} /></td>
                <td><Mark held={op.in_b} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Mark({ held }: { held: boolean }): ReactNode {
  return held ? <b className="role-yes">✔ 有</b> : <span className="role-no">无</span>
}
