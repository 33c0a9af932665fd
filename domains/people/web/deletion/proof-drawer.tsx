import { PrinterOutlined } from '@ant-design/icons'
import { userDeleteApi } from '@campus/people/contract'
import type { DeleteProof } from '@campus/people/contract'
import { AppDrawer, call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { action_names, kind_names, state_names } from './delete-words.ts'
import './deletion.css'

/** 删除证明: what became of somebody in every store, as it is printed for him or for an inspector. */
export function ProofDrawer({ no, user_id, onClose }: { no: string; user_id: string; onClose: () => void }): ReactNode {
  const query = useQuery({ queryKey: [userDeleteApi.proof.call, no, user_id], queryFn: ({ signal }) => call(userDeleteApi.proof, { no, user_id }, { signal, quiet: true }) })
  const { data } = query
  const print = <Button type="primary" icon={<PrinterOutlined aria-hidden />} disabled={!data} onClick={() => window.print()}>打印</Button>
  return (
    <AppDrawer rootClassName="people-print" size={680} title="删除证明" extra={print} onClose={onClose}>
      {!data && <PartState query={query} />}
      {data && <Sheet proof={data} />}
    </AppDrawer>
  )
}

function Sheet({ proof }: { proof: DeleteProof }): ReactNode {
  const people = [proof.confirmed_by, proof.second_by].filter(name => name !== null).join('、')
  const purged = proof.purged_at === null ? '尚未清除' : instantText(proof.purged_at)
  return (
    <article className="people-sheet">
      <h2>{proof.school_name}</h2>
      <h3>个人信息删除证明</h3>
      <p>
        {kind_names[proof.person_kind] ?? '人员'} {proof.user_name}（编号 {proof.user_no}{proof.dept_name === null ? '' : `，${proof.dept_name}`}）的个人信息，
        {proof.state === 'deleted' ? '已按下表从本校各系统中清除。' : `正在按下表从本校各系统中清除，当前状态：${state_names[proof.state]}。`}
      </p>
      <dl>
        <dt>批次号</dt><dd>{proof.batch_no}</dd>
        <dt>清除时间</dt><dd>{purged}</dd>
        <dt>删除原因</dt><dd>{proof.reason || '—'}</dd>
        <dt>确认人</dt><dd>{people || '—'}</dd>
      </dl>
      <table>
        <thead><tr><th>存储</th><th>处理</th><th>依据</th><th>确认时间</th><th>凭据</th></tr></thead>
        <tbody>
          {proof.stores.map(store => (
            <tr key={store.store}>
              <td>{store.title}<small>{store.store}</small></td>
              <td>{store.state === 'waiting' ? '等待确认' : action_names[store.action]}</td>
              <td>{store.basis ?? '—'}</td>
              <td>{store.acked_at === null ? '—' : instantText(store.acked_at)}</td>
              <td>{store.evidence ?? '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer>本证明由系统生成，可凭批次号和编号核对。</footer>
    </article>
  )
}
