import { moduleName, systemLogApi } from '@campus/audit/contract'
import type { OperationDetail } from '@campus/audit/contract'
import { AppDrawer, call } from '@kit/web'
import { Loaded } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { ChangeDiff } from './change-diff.tsx'
import { OpTag } from './op-tag.tsx'
import { Operator, Result, targetText } from './operation.fields.tsx'
import { OperationLines } from './operation-lines.tsx'
import { secondText } from './second-text.ts'

type Props = { log_id: string; open: (log_id: string) => void; onClose: () => void }

/** One operation: who, what changed, what else its request did, what else befell the same object. */
export function OperationDrawer({ log_id, open, onClose }: Props): ReactNode {
  const query = useQuery({ queryKey: [systemLogApi.detail.call, log_id], queryFn: ({ signal }) => call(systemLogApi.detail, { id: log_id }, { signal, quiet: true }) })
  return (
    <AppDrawer size={720} title="操作详情" onClose={onClose}>
      <Loaded query={query} rows={8}>{detail => <div className="audit-drawer"><Detail detail={detail} open={open} /></div>}</Loaded>
    </AppDrawer>
  )
}

function Detail({ detail, open }: { detail: OperationDetail; open: Props['open'] }): ReactNode {
  const { row, changes, chain, persons, same_object } = detail
  const facts: [string, ReactNode][] = [
    ['时间', secondText(row.happened_at)],
    ['操作人', <Operator key="who" row={row} />],
    ['操作类型', <OpTag key="op" op_type={row.op_type} />],
    ['结果', <Result key="ok" row={row} />],
    ['模块', moduleName(row.module_code)],
    ['对象', targetText(row)],
    ['IP', row.ip],
    ['设备', row.device_label],
    ['耗时', `${row.duration_ms.toLocaleString('en')} 毫秒`],
    ['调用', <code key="call">{row.call}</code>],
  ]
  const more: [string, string | null][] = [['说明', row.ok ? null : row.msg], ['原因', row.reason], ['批次', row.batch_no], ['任务', row.job_no]]
  const known = more.filter((fact): fact is [string, string] => fact[1] !== null)
  return (
    <>
      <dl className="audit-facts">
        {[...facts, ...known].map(([label, value]) => [<dt key={label}>{label}</dt>, <dd key={`${label}-value`}>{value}</dd>])}
      </dl>
      <h3>变更内容</h3>
      <ChangeDiff changes={changes} empty="这次操作没有记录字段变化" />
      <h3>请求链 <Tag>{chain.length}</Tag></h3>
      <OperationLines rows={chain} here={row.log_id} open={open} />
      {persons.length > 0 && <p>同时写入档案操作日志：{persons.map(person => `${person.person_name}（${person.fields} 个字段）`).join('、')}</p>}
      {row.target_id !== null && (
        <>
          <h3>同一对象的全部操作 <Tag>{same_object.length >= 50 ? '最近 50' : same_object.length}</Tag></h3>
          <OperationLines rows={same_object} here={row.log_id} open={open} />
        </>
      )}
    </>
  )
}
