import { upgradeRunApi } from '@campus/people/contract'
import type { GraduateDept } from '@campus/people/contract'
import { AppDrawer, call, Loading, sentenceOf } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Pagination, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import './upgrade.css'

const page_size = 20
const stages = [{ value: '0', label: '幼儿园' }, { value: '1', label: '小学' }, { value: '2', label: '初中' }, { value: '3', label: '高中' }]

/** 毕业班级: classes that are gone, how many pupils they had and where those went. */
export function GraduateDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const [stage, setStage] = useState<string>()
  const [page_index, setPage] = useState(1)
  const asked = { stage, page_index, page_size }
  const { data, error } = useQuery({ queryKey: [upgradeRunApi.graduates.call, asked], queryFn: ({ signal }) => call(upgradeRunApi.graduates, asked, { signal, quiet: true }), placeholderData: keepPreviousData })
  return (
    <AppDrawer open title="毕业班级" size={720} onClose={onClose}>
      <div className="up-panel">
        <Select allowClear aria-label="学段" placeholder="全部学段" value={stage ?? null} options={stages} onChange={next => { setStage(next ?? undefined); setPage(1) }} />
        {error && <Alert type="error" showIcon title={sentenceOf(error)} />}
        {!data && !error && <Loading rows={6} />}
        {data && data.list.length === 0 && <p className="up-none">还没有毕业的班级。</p>}
        {data && data.list.length > 0 && <Classes list={data.list} />}
        {data && data.total > page_size && <Pagination size="small" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={next => setPage(next)} />}
      </div>
    </AppDrawer>
  )
}

function Classes({ list }: { list: readonly GraduateDept[] }): ReactNode {
  return (
    <table className="up-table">
      <thead>
        <tr><th>班级</th><th>毕业前年级</th><th>关闭日期</th><th className="up-number">学生</th><th className="up-number">毕业离校</th><th>毕业去向</th></tr>
      </thead>
      <tbody>
        {list.map(one => (
          <tr key={one.id}>
            <td>{one.label}</td><td>{one.grade_name ?? '—'}</td><td>{one.closed_on}</td><td className="up-number">{one.students}</td><td className="up-number">{one.graduated}</td>
            <td>{one.to_where.length === 0 ? '—' : one.to_where.map(place => `${place.to_where} ${place.count}人`).join('、')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
