import { roleApi } from '@campus/identity/contract'
import { call, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Empty } from 'antd'
import type { ReactNode } from 'react'
import { MatrixEditor } from './matrix-editor.tsx'
import '../roles.css'
import './matrix.css'

/** 角色权限配置: what one role may do, and over which rows. */
export default function RoleOpeate(): ReactNode {
  const { search, active } = usePage()
  const { role_id } = search
  const query = useQuery({
    queryKey: [roleApi.matrix.call, role_id],
    queryFn: ({ signal }) => call(roleApi.matrix, { role_id: role_id ?? '' }, { signal, quiet: true }),
    enabled: active && role_id !== undefined,
    // What is being edited is never changed from behind.
    staleTime: Infinity,
    gcTime: 0,
  })
  return (
    <div className="matrix-page" data-ready={role_id === undefined ? 'choose' : query.isSuccess ? 'matrix' : query.isError ? 'failed' : undefined}>
      {query.data && <MatrixEditor key={query.data.role_id} matrix={query.data} />}
      {!query.data && role_id !== undefined && <div className="matrix-card"><PartState query={query} rows={12} /></div>}
      {role_id === undefined && (
        <div className="matrix-card">
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="请先在角色组设置中选择角色"><Link to="/RoleGroupSet">去选择角色</Link></Empty>
        </div>
      )}
    </div>
  )
}
