import { explainApi } from '@campus/identity/contract'
import { call, schoolToday } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { DatePicker, Empty, Pagination } from 'antd'
import { dayjs } from '@kit/web/day'
import { PartState } from '@kit/web/part'
import { useState } from 'react'
import type { ReactNode } from 'react'

const page_size = 50
type Props = { target: { path: string } | { code: string }; /** of this person alone */ user_id?: string }

/** Who could open a page or use a button on a day of the past; of one person: whether he could, and through which role. */
export function PastHolders({ target, user_id }: Props): ReactNode {
  const [on, setOn] = useState(schoolToday())
  const [page_index, setPage] = useState(1)
  const query = useQuery({
    queryKey: [explainApi.past.call, target, user_id, on, page_index],
    queryFn: ({ signal }) => call(explainApi.past, { ...target, user_id, on, page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
  const choose = (day: string) => {
    setOn(day)
    setPage(1)
  }
  const { data } = query
  const nobody = user_id === undefined ? `${on} 没有人可以使用` : `${on} 不能使用`
  return (
    <section className="explain-past" aria-label="历史权限">
      <div className="role-diff-head">
        <label htmlFor="past-day">哪一天</label>
        <DatePicker id="past-day" allowClear={false} value={dayjs(on)} maxDate={dayjs(schoolToday())} onChange={day => day && choose(day.format('YYYY-MM-DD'))} />
        <span aria-live="polite">{data && data.total > 0 && (user_id === undefined ? `${data.total}个身份可以使用` : '可以使用')}</span>
      </div>
      {!data && <PartState query={query} />}
      {data?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={nobody} />}
      {data && data.total > 0 && (
        <table className="role-table">
          <thead><tr><th scope="col">姓名</th><th scope="col">编号</th><th scope="col">通过的角色</th><th scope="col">有效期</th></tr></thead>
          <tbody>
            {data.list.map(row => (
              <tr key={row.role_no}>
                <th scope="row">{row.user_name}</th><td>{row.user_no}</td>
                <td>{row.role_name}{row.is_assumed && <small title="该角色在此日期之前没有权限变更记录，按最早的记录推算">（推算）</small>}</td>
                <td className="kit-number">{row.valid_to === null ? `${row.valid_from} 起长期` : `${row.valid_from} ~ ${row.valid_to}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && data.total > page_size && <Pagination size="small" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={setPage} />}
      <p className="role-small">按当天的角色成员和角色权限推算；数据范围不在其中。</p>
    </section>
  )
}
