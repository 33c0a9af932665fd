import { readStoredJson, sentenceOf } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Select, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { schoolPorts } from '../ports.ts'
import { previewOf } from './nav-model.ts'
import type { Draft, PreviewGroup } from './nav-model.ts'

const own_role = 'own'
const Perms = z.array(z.object({ code: z.string() })).catch([])

/** The sidebar as a role would see it, before anything is saved. */
export function NavPreview({ draft }: { draft: Draft }): ReactNode {
  const [role, setRole] = useState(own_role)
  const roles = useQuery({ queryKey: ['nav-preview-roles'], queryFn: () => schoolPorts().roles() })
  const codes = useQuery({ queryKey: ['nav-preview-codes', role], queryFn: () => (role === own_role ? ownCodes() : schoolPorts().roleCodes(role)) })
  const groups = useMemo(() => (codes.data ? previewOf(draft, new Set(codes.data)) : []), [draft, codes.data])
  const options = [{ value: own_role, label: '我的当前身份' }, ...(roles.data ?? []).map(({ role_id, name }) => ({ value: role_id, label: name }))]
  return (
    <aside className="record-card nav-preview" aria-label="侧边栏预览">
      <h3>侧边栏预览</h3>
      <Select aria-label="以哪个角色预览" options={options} value={role} onChange={setRole} loading={roles.isPending} showSearch={{ optionFilterProp: 'label' }} />
      {codes.isPending && <Skeleton active paragraph={{ rows: 6 }} />}
      {codes.error && <Alert type="error" title={sentenceOf(codes.error)} />}
      {codes.data && <Drawn groups={groups} />}
    </aside>
  )
}

function Drawn({ groups }: { groups: readonly PreviewGroup[] }): ReactNode {
  if (groups.length === 0) return <p className="record-hint">未配置功能模块：该角色没有可用页面</p>
  return (
    <ul className="nav-drawn">
      {groups.map(group => (
        <li key={group.nav_id}>
          <b><span aria-hidden>{schoolPorts().icon(group.icon)}</span>{group.name}</b>
          <ul>{group.pages.map(page => <li key={page.nav_id}>{page.name}</li>)}</ul>
        </li>
      ))}
    </ul>
  )
}

function ownCodes(): string[] {
  return Perms.parse(readStoredJson('menu_perms')).map(({ code }) => code)
}
