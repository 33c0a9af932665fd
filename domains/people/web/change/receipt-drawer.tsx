import { changeApi } from '@campus/people/contract'
import type { ChangeReceipt } from '@campus/people/contract'
import { AppDrawer, call, Can, confirmDanger, Loading } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { sentenceOf } from '../refused.ts'
import { Receipt, UndoBar } from './change-receipt.tsx'
import type { Hand } from './effect-hand.tsx'
import { useRefreshChanges } from './use-change.ts'

const again_ms = 2000

/** Something is still on its way: the receipt is read again until it has happened. */
function isOpen(receipt: ChangeReceipt | undefined): boolean {
  return receipt?.state === 'applied' && receipt.counts.waiting > 0
}

/** The receipt of one command, and the ways back: cancelling what is still to come, undoing what has happened. */
export function ReceiptDrawer({ command_id, onClose }: { command_id: string; onClose: () => void }): ReactNode {
  const refresh = useRefreshChanges()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const query = useQuery({ queryKey: [changeApi.detail.call, command_id], queryFn: ({ signal }) => call(changeApi.detail, { id: command_id }, { signal, quiet: true }), refetchInterval: ({ state }) => (isOpen(state.data) ? again_ms : false) })
  const receipt = query.data
  const write = async (act: () => Promise<unknown>) => {
    setBusy(true)
    setRefused(null)
    await act().then(refresh, (cause: unknown) => setRefused(sentenceOf(cause)))
    setBusy(false)
  }
  const quiet = { quiet: true }
  const hand: Hand = {
    busy,
    retry: id => void write(() => call(changeApi.retry, { id }, quiet)),
    close: (id, reason) => void write(() => call(changeApi.close, { id, reason }, quiet)),
  }
  const cancel = async () => {
    const yes = await confirmDanger({ title: '取消这次变更？', touches: `${receipt?.subject_count ?? 0} 人将保持现状`, ok: '取消变更' })
    if (yes) await write(() => call(changeApi.cancel, { id: command_id }, { quiet: true }))
  }
  const failed = query.error ? sentenceOf(query.error) : null
  return (
    <AppDrawer rootClassName="change-drawer" size={960} title="变更回执" onClose={onClose}>
      {failed !== null && <LoadFailed text={failed} again={() => void query.refetch()} />}
      {!receipt && failed === null && <Loading rows={8} />}
      {receipt && <Receipt receipt={receipt} hand={hand} />}
      {refused !== null && <Alert className="change-refused" type="error" showIcon title={refused} />}
      {receipt && <UndoBar receipt={receipt} busy={busy} undo={reason => void write(() => call(changeApi.undo, { id: command_id, reason }, { quiet: true }))} />}
      {receipt?.state === 'scheduled' && (
        <Can code={changeApi.cancel}>
          <Button danger loading={busy} onClick={() => void cancel()}>取消变更</Button>
        </Can>
      )}
    </AppDrawer>
  )
}
