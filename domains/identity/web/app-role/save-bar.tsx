import { mayDiscard } from '@kit/web'
import type { Saving } from '@kit/web'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'

type Props = { saving: Saving; is_dirty: boolean; /** what would be saved, in words */ text: ReactNode; save: () => void; discard: () => void }

/** The bar under a tab: what is not saved yet, and why the last attempt was refused. */
export function SaveBar({ saving, is_dirty, text, save, discard }: Props): ReactNode {
  const leave = async () => {
    if (await mayDiscard()) discard()
  }
  return (
    <>
      {saving.refused !== null && <Alert type="warning" showIcon title={`${saving.refused}。您的修改还在，已读取最新数据，核对后可再次保存`} />}
      <footer className="matrix-foot">
        <span aria-live="polite">{is_dirty ? <>{text}，尚未保存</> : '没有未保存的修改'}</span>
        <Button disabled={!is_dirty} onClick={() => void leave()}>放弃修改</Button>
        <Button type="primary" disabled={!is_dirty} loading={saving.busy} onClick={save}>保存</Button>
      </footer>
    </>
  )
}
