import { deleteApi } from '@campus/people/contract'
import type { Prechecked } from '@campus/people/contract'
import { AppModal, call } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { OpenItems } from './open-items.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import './deletion.css'

type Props = {
  people: readonly { user_id: string; user_name: string }[]
  /** opens the dialog of leaving, for whoever is still here; `has_asked`: it was open already */
  leave?: () => void
  has_asked?: boolean
  onClose: () => void
  onDone: () => void
}

/** 申请删除: what is unsettled of these people first; then the reason and the own password. */
export function DeleteDialog({ people, leave, has_asked = false, onClose, onDone }: Props): ReactNode {
  const user_ids = people.map(person => person.user_id)
  const query = useQuery({ queryKey: [deleteApi.precheck.call, user_ids], queryFn: ({ signal }) => call(deleteApi.precheck, { user_ids }, { signal, quiet: true }), gcTime: 0 })
  const found = query.data?.list
  const stays = has_asked && found?.some(isHere)
  // Whoever closed the dialog of leaving without leaving has changed his mind.
  useEffect(() => {
    if (stays) onClose()
  }, [stays, onClose])
  if (!found) {
    return (
      <AppModal open title="申请删除" width={520} footer={null} onCancel={onClose}>
        <PartState query={query} />
      </AppModal>
    )
  }
  const blocked = found.filter(isBlocked)
  if (blocked.length > 0) return <Blocked people={blocked} total={found.length} leave={blocked.some(isHere) ? leave : undefined} onClose={onClose} />
  const run = ({ recheck_token, reason }: { recheck_token: string; reason: string }) => call(deleteApi.run, { user_ids, reason, recheck_token }, { quiet: true })
  return <PasswordDialog title="申请删除" ok={`确认删除（${found.length} 人）`} done="已提交，保留期内可在人员删除明细中取消" asks_reason touches={<Touches people={found} />} run={run} onClose={onClose} onDone={onDone} />
}

function isBlocked({ items, queued, mistake }: Prechecked): boolean {
  if (mistake) return false
  return queued !== null || items.some(item => item.level === 'block')
}

function isHere({ items, mistake }: Prechecked): boolean {
  return !mistake && items.some(item => item.code === 'still_here')
}

type BlockedProps = { people: readonly Prechecked[]; total: number; leave: (() => void) | undefined; onClose: () => void }

function Blocked({ people, total, leave, onClose }: BlockedProps): ReactNode {
  const ok = leave ? { okText: '先办理离校', onOk: leave } : { okText: '知道了', onOk: onClose, cancelButtonProps: { hidden: true } }
  return (
    <AppModal open title="申请删除" width={520} {...ok} onCancel={onClose}>
      <Alert type="warning" showIcon title={`${total} 人中有 ${people.length} 人不能删除，请先处理以下事项`} />
      <ul className="delete-blocked">
        {people.map(person => (
          <li key={person.user_id}>
            <b>{person.user_name}</b>
            {person.queued === null ? <OpenItems items={person.items} /> : <p>已在删除批次 {person.queued} 中</p>}
          </li>
        ))}
      </ul>
    </AppModal>
  )
}

function Touches({ people }: { people: readonly Prechecked[] }): ReactNode {
  const mistakes = people.filter(person => person.mistake).length
  const warned = people.filter(person => person.items.length > 0)
  return (
    <>
      <p>将删除 <b>{people.map(person => person.user_name).join('、')}</b>：照片、终端中的人脸、档案和登录账号都会清除，过去的记录中只显示“已注销人员”。</p>
      {mistakes > 0 && <p>其中 {mistakes} 人是 24 小时内的误录入，将立即撤销。</p>}
      {warned.map(person => <OpenItems key={person.user_id} items={person.items} />)}
    </>
  )
}
