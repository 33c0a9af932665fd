import { archiveLogApi } from '@campus/audit/contract'
import type { ArchiveLogDetail, ArchiveLogRow } from '@campus/audit/contract'
import { AppDrawer, call } from '@kit/web'
import { Loaded } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import { kindName, sourceName } from './archive.fields.tsx'
import { ChangeChips, ChangeDiff } from './change-diff.tsx'
import { OpTag } from './op-tag.tsx'
import { OperationLines } from './operation-lines.tsx'
import { secondText } from './second-text.ts'

const most = 200

type Props = { log_id: string; open: (log_id: string) => void; onClose: () => void }

/** One change of a person, and the whole life of the person as far as it is kept. */
export function ArchiveDrawer({ log_id, open, onClose }: Props): ReactNode {
  const query = useQuery({ queryKey: [archiveLogApi.detail.call, log_id], queryFn: ({ signal }) => call(archiveLogApi.detail, { id: log_id }, { signal, quiet: true }) })
  const title = query.data ? `${query.data.row.person_name} 的档案操作` : '档案操作'
  return (
    <AppDrawer size={720} title={title} onClose={onClose}>
      <Loaded query={query} rows={8}>{detail => <div className="audit-drawer"><Detail detail={detail} open={open} /></div>}</Loaded>
    </AppDrawer>
  )
}

function Detail({ detail: { row, life, chain }, open }: { detail: ArchiveLogDetail; open: Props['open'] }): ReactNode {
  const facts: [string, ReactNode][] = [
    ['人员', `${kindName(row)} ${row.person_name}`],
    ['编号', row.person_no ?? '—'],
    ['当时部门', row.dept_name ?? '—'],
    ['时间', secondText(row.happened_at)],
    ['操作', <OpTag key="op" op_type={row.op_type} />],
    ['来源', sourceName(row)],
    ['操作人', row.user_name ?? '系统'],
    ['批次', row.batch_no ?? '—'],
  ]
  return (
    <>
      <dl className="audit-facts">{facts.map(([label, value]) => [<dt key={label}>{label}</dt>, <dd key={`${label}-value`}>{value}</dd>])}</dl>
      <h3>变更内容</h3>
      <ChangeDiff changes={row.changes} empty="这次操作没有字段变化" />
      {chain.length > 0 && (
        <>
          <h3>请求链 <Tag>{chain.length}</Tag></h3>
          <OperationLines rows={chain} />
        </>
      )}
      <h3>全部经历 <Tag>{life.length >= most ? `最近 ${most}` : life.length}</Tag></h3>
      <ol className="audit-lines">{life.map(line => <LifeLine key={line.log_id} line={line} is_here={line.log_id === row.log_id} open={open} />)}</ol>
    </>
  )
}

function LifeLine({ line, is_here, open }: { line: ArchiveLogRow; is_here: boolean; open: Props['open'] }): ReactNode {
  return (
    <li className={is_here ? 'audit-here' : undefined}>
      <span className="audit-line-head">
        <span className="audit-time">{secondText(line.happened_at)}</span>
        <OpTag op_type={line.op_type} />
        <span>{sourceName(line)}</span>
        <span>{line.user_name ?? '系统'}</span>
        {line.dept_name !== null && <span className="audit-role">{line.dept_name}</span>}
        {!is_here && <Button type="link" size="small" aria-label={`查看 ${secondText(line.happened_at)} 的变更`} onClick={() => open(line.log_id)}>查看</Button>}
      </span>
      {line.changes.length > 0 && <div><ChangeChips changes={line.changes} /></div>}
    </li>
  )
}
