import { changeApi } from '@campus/people/contract'
import type { ChangeReceipt } from '@campus/people/contract'
import { Can } from '@kit/web'
import { Button, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

// The field takes the place of the button that was pressed, so it takes the focus over.
const takes_focus = { autoFocus: true }

/** What is done by hand to a line of a receipt: try once more, or close it for a reason. */
export type Hand = { busy: boolean; retry: (id: string) => void; close: (id: string, reason: string) => void }
type Props = { effect: Pick<ChangeReceipt['effects'][number], 'id' | 'title' | 'state'>; hand: Hand }

/** A line that failed is tried again or closed; one that waits in vain is closed. */
export function EffectHand({ effect: { id, title, state }, hand: { busy, retry, close } }: Props): ReactNode {
  const [reason, setReason] = useState<string | null>(null)
  if (state !== 'failed' && state !== 'waiting') return null
  return (
    <Can code={changeApi.retry}>
      <div className="change-hand">
        {state === 'failed' && <Button size="small" loading={busy} onClick={() => retry(id)}>重试{title}</Button>}
        {reason === null ? (
          <Button size="small" onClick={() => setReason('')}>标记为已人工处理</Button>
        ) : (
          <>
            <Input size="small" aria-label="关闭原因" placeholder="请填写关闭原因" maxLength={100} {...takes_focus} value={reason} onChange={event => setReason(event.target.value)} />
            <Button size="small" danger type="primary" loading={busy} disabled={reason.trim() === ''} onClick={() => close(id, reason.trim())}>确认关闭</Button>
          </>
        )}
      </div>
    </Can>
  )
}
