import { PrinterOutlined } from '@ant-design/icons'
import { mergeApi } from '@campus/people/contract'
import type { MergeProof } from '@campus/people/contract'
import { AppDrawer, call, instantText, schoolToday } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { kind_words } from './merge-words.ts'
import '../deletion/deletion.css'

/** 合并证明 or 撤销合并证明: what became of two files, to be printed for a parent or an inspector. */
export function MergePaper({ merge_id, onClose }: { merge_id: string; onClose: () => void }): ReactNode {
  const query = useQuery({ queryKey: [mergeApi.proof.call, merge_id], queryFn: ({ signal }) => call(mergeApi.proof, { id: merge_id }, { signal, quiet: true }) })
  const { data } = query
  const print = <Button type="primary" icon={<PrinterOutlined aria-hidden />} disabled={!data} onClick={() => window.print()}>打印</Button>
  return (
    <AppDrawer rootClassName="people-print" size={680} title={data ? titleOf(data) : '合并证明'} extra={print} onClose={onClose}>
      {!data && <PartState query={query} />}
      {data && <Sheet proof={data} />}
    </AppDrawer>
  )
}

function titleOf({ state }: MergeProof): string {
  return state === 'reversed' ? '撤销合并证明' : '合并证明'
}

function Sheet({ proof }: { proof: MergeProof }): ReactNode {
  const { kind, state, keep, drop, keep_no, drop_no, moved, merged_by, merged_at, reversed_by, reversed_at, left } = proof
  const [kept, dropped] = [named(keep.user_name, keep_no), named(drop.user_name, drop_no)]
  const is_reversed = state === 'reversed'
  return (
    <article className="people-sheet">
      <h2>{proof.school_name}</h2>
      <h3>人员档案{titleOf(proof)}</h3>
      <p>
        本校{kind_words[kind]}档案{dropped}于 {instantText(merged_at)} 并入{kept}，共转移 {moved} 条记录。
        {is_reversed && `该合并已于 ${reversed_at === null ? '' : instantText(reversed_at)} 撤销，两份档案恢复为各自独立，${left.length === 0 ? '转移的记录已全部还原。' : '转移的记录已还原，下列记录除外。'}`}
      </p>
      <dl>
        <dt>合并编号</dt><dd>{proof.merge_id}</dd>
        <dt>合并人</dt><dd>{merged_by ?? '系统'}</dd>
        {is_reversed && <><dt>撤销人</dt><dd>{reversed_by ?? '系统'}</dd></>}
        <dt>开具日期</dt><dd>{schoolToday()}</dd>
      </dl>
      <table>
        <thead><tr><th>记录所属</th><th>合并时转移</th><th>{is_reversed ? '撤销后' : '现状'}</th></tr></thead>
        <tbody>{proof.parts.map(part => <tr key={part.domain_title}><td>{part.domain_title}</td><td>{part.count} 条</td><td>{is_reversed ? `还给${drop.user_name}` : `在${keep.user_name}名下`}</td></tr>)}</tbody>
      </table>
      {left.length > 0 && (
        <table>
          <thead><tr><th>留在{keep.user_name}名下</th><th>数量</th><th>原因</th></tr></thead>
          <tbody>{left.map(line => <tr key={`${line.title} ${line.why}`}><td>{line.domain_title}：{line.title}</td><td>{line.count} 项</td><td>{line.why === 'born' ? '合并后新增' : '合并后修改过'}</td></tr>)}</tbody>
        </table>
      )}
      <footer>本证明由系统生成，可凭合并编号核对。</footer>
    </article>
  )
}

function named(user_name: string, user_no: string): string {
  return `“${user_name}”${user_no === '' ? '' : `（编号 ${user_no}）`}`
}
