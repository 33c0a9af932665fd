import { explainApi, memberApi } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { AppDrawer, call, PageTabs, schoolToday, useCan } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { DatePicker, Empty, Pagination } from 'antd'
import { dayjs } from '@kit/web/day'
import { PartState } from '@kit/web/part'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PastHolders } from '../explain/past-holders.tsx'
import { TargetChoice } from '../explain/target-choice.tsx'
import type { ExplainTarget } from '../explain/target-choice.tsx'

const page_size = 100

/** Who held the role on a day, the past included; or who could open a page or use a button then, through any role. */
export function HistoryDrawer({ role, onClose }: { role: RoleRow; onClose: () => void }): ReactNode {
  const [tab, setTab] = useState<'holders' | 'rights'>('holders')
  const may_explain = useCan(explainApi.past)
  return (
    <AppDrawer size={640} title={`历史：${role.name}`} onClose={onClose}>
      {may_explain && <PageTabs tabs={tabs} value={tab} onChange={setTab} />}
      <div className="member-history">{tab === 'holders' ? <Holders role={role} /> : <Rights role={role} />}</div>
    </AppDrawer>
  )
}

const tabs = [{ key: 'holders', label: '谁持有该角色' }, { key: 'rights', label: '谁能使用某页面或按钮' }] as const

function Rights({ role }: { role: RoleRow }): ReactNode {
  const [target, setTarget] = useState<ExplainTarget>()
  return (
    <>
      <TargetChoice role_id={role.role_id} target={target} choose={setTarget} />
      {target ? <PastHolders target={target} /> : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择页面或按钮，查看过去某一天谁能使用" />}
    </>
  )
}

function Holders({ role }: { role: RoleRow }): ReactNode {
  const [on, setOn] = useState(schoolToday())
  const [page_index, setPage] = useState(1)
  const query = useQuery({
    queryKey: [memberApi.holders.call, role.role_id, on, page_index],
    queryFn: ({ signal }) => call(memberApi.holders, { role_id: role.role_id, on, page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
  const choose = (day: string) => {
    setOn(day)
    setPage(1)
  }
  return (
    <>
      <div className="role-diff-head">
        <label htmlFor="history-day">哪一天</label>
        <DatePicker id="history-day" allowClear={false} value={dayjs(on)} onChange={day => day && choose(day.format('YYYY-MM-DD'))} />
        <span aria-live="polite">{query.data && `${query.data.total}人持有该角色`}</span>
      </div>
      {!query.data && <PartState query={query} />}
      {query.data?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`${on} 没有人持有该角色`} />}
      {query.data && query.data.total > 0 && (
        <table className="role-table">
          <thead><tr><th scope="col">姓名</th><th scope="col">编号</th><th scope="col">有效期</th></tr></thead>
          <tbody>{query.data.list.map(row => <tr key={row.role_no}><th scope="row">{row.user_name}</th><td>{row.user_no}</td><td className="kit-number">{row.valid_to === null ? `${row.valid_from} 起长期` : `${row.valid_from} ~ ${row.valid_to}`}</td></tr>)}</tbody>
        </table>
      )}
      {query.data && query.data.total > page_size && <Pagination size="small" current={page_index} pageSize={page_size} total={query.data.total} showSizeChanger={false} onChange={setPage} />}
    </>
  )
}
