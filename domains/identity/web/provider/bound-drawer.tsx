import { providerApi } from '@campus/identity/contract'
import type { BoundRow, ProviderRow } from '@campus/identity/contract'
import { AppDrawer, call, confirmDanger, instantText, useSaving } from '@kit/web'
import { PartState } from '@kit/web/part'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Pagination } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const page_size = 20

/** Who has bound an account of this provider; the administrator can take it away. */
export function BoundDrawer({ row, onClose, onChanged }: { row: ProviderRow; onClose: () => void; onChanged: () => Promise<unknown> }): ReactNode {
  const [page_index, setPage] = useState(1)
  const { busy, refused, run } = useSaving()
  const query = useQuery({
    queryKey: [providerApi.bound.call, row.adapter, page_index],
    queryFn: ({ signal }) => call(providerApi.bound, { adapter: row.adapter, page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
  const unbind = async ({ user_id, user_name }: BoundRow) => {
    if (!(await confirmDanger({ title: `确定解除${user_name}的绑定吗？`, touches: `${user_name}改用账号密码登录，可再次绑定`, ok: '解绑' }))) return
    if (await run(() => call(providerApi.unbind, { adapter: row.adapter, user_id }, { quiet: true }), '已解绑')) await Promise.all([query.refetch(), onChanged()])
  }
  const { data } = query
  return (
    <AppDrawer size={720} title={`已绑定${row.label}的人员`} onClose={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} className="provider-refused" />}
      {!data && <PartState query={query} />}
      {data?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有人绑定；本人用密码登录后可绑定" />}
      {data && data.total > 0 && (
        <table className="provider-table">
          <thead><tr>{['姓名', '编号', '对方账号', '绑定时间', '绑定人', '操作'].map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
          <tbody>
            {data.list.map(one => (
              <tr key={one.user_id}>
                <th scope="row">{one.user_name}</th>
                <td>{one.user_no}</td>
                <td>{one.external_tail}</td>
                <td className="provider-number">{instantText(one.bound_at)}</td>
                <td>{one.bound_by_name ?? '本人'}</td>
                <td><Button type="link" size="small" danger disabled={busy} aria-label={`解绑 ${one.user_name}`} onClick={() => void unbind(one)}>解绑</Button></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && data.total > page_size && <Pagination className="provider-pages" size="small" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={setPage} />}
    </AppDrawer>
  )
}
