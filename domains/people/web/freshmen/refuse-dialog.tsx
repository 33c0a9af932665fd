import { AppModal, leaving } from '@kit/web'
import { Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Review } from './use-review.ts'

/** Sends applications back with a reason that families can read and correct. */
export function RefuseDialog({ ids, review, onClose }: { ids: readonly string[]; review: Review; onClose: () => void }): ReactNode {
  const [reason, setReason] = useState('')
  const send = async () => {
    if (await review.refuse(ids, reason.trim())) onClose()
  }
  return (
    <AppModal open title={`驳回 ${ids.length} 条报名`} okText="驳回" okButtonProps={{ danger: true, disabled: reason.trim() === '' }} confirmLoading={review.busy} onOk={() => void send()} onCancel={leaving(reason.trim() !== '', onClose)}>
      <p>家长查询进度时可以看到原因，用同一手机号更正后重新提交。</p>
      <Input.TextArea aria-label="驳回原因" rows={3} maxLength={200} showCount placeholder="请填写原因，例如：户口簿不清晰，请重新拍摄" value={reason} onChange={event => setReason(event.target.value)} />
    </AppModal>
  )
}
