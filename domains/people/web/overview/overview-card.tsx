import { overviewApi } from '@campus/people/contract'
import { call, dictionaryName, useCan, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import './overview.css'

const quiet = { quiet: true }

/** 人员概况: pupils by stage, sex and bed, staff by kind, each for whoever may see it; an enterprise has no pupils. */
export function OverviewCard({ school_type }: { school_type: number }): ReactNode {
  const [pupils, staff] = [useCan(overviewApi.pupils), useCan(overviewApi.staff)]
  const is_school = school_type === 1
  if (!is_school && !staff) return <p className="people-overview-none">您的角色没有查看员工人数的权限</p>
  return (
    <>
      {is_school && pupils && <Pupils />}
      {staff && <Staff label={is_school ? '在职教职工' : '在职员工'} />}
    </>
  )
}

function Pupils(): ReactNode {
  const { active } = usePage()
  const query = useQuery({ queryKey: [overviewApi.pupils.call], queryFn: ({ signal }) => call(overviewApi.pupils, {}, { signal, ...quiet }), enabled: active })
  if (!query.data) return <PartState query={query} rows={3} />
  const { total, boys, girls, boarders, stages } = query.data
  return (
    <dl className="people-overview">
      <Line label="在读学生" count={total} search={{}} />
      {stages.map(({ stage, total: of_stage }) => <Line key={stage} label={stage === null ? '未设学段' : dictionaryName('STAGE', stage)} count={of_stage} search={stage === null ? undefined : { stage }} />)}
      <Line label="男生" count={boys} search={{ sex: '1' }} />
      <Line label="女生" count={girls} search={{ sex: '2' }} />
      <Line label="住校生" count={boarders} search={{ study_method: '2' }} />
    </dl>
  )
}

function Staff({ label }: { label: string }): ReactNode {
  const { active } = usePage()
  const query = useQuery({ queryKey: [overviewApi.staff.call], queryFn: ({ signal }) => call(overviewApi.staff, {}, { signal, ...quiet }), enabled: active })
  if (!query.data) return <PartState query={query} rows={2} />
  return (
    <dl className="people-overview">
      <Line label={label} count={query.data.total} />
      {query.data.kinds.map(({ kind, total }) => <Line key={kind} label={dictionaryName('STAFF_KIND', kind)} count={total} />)}
    </dl>
  )
}

/** A number that opens its list, where there is one and somebody in it. */
function Line({ label, count, search }: { label: string; count: number; search?: Record<string, string> }): ReactNode {
  const text = count.toLocaleString('zh-CN')
  return (
    <div>
      <dt>{label}</dt>
      <dd className="kit-number">{search && count > 0 ? <Link to="/ParentsRecord" search={search} aria-label={`${label}${text}人，查看名单`}>{text}</Link> : text}</dd>
    </div>
  )
}
