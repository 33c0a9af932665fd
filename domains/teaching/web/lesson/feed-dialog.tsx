import { lessonApi } from '@campus/teaching/contract'
import type { View } from '@campus/teaching/contract'
import { AppModal, call } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Alert, Button, Typography } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

/** 订阅: an address that a calendar program reads; a new one ends the former. */
export function FeedDialog({ view, target_id, onClose }: { view: View; target_id: string; onClose: () => void }): ReactNode {
  const [address, show] = useState<string>()
  const { busy, act } = useAct()
  const make = async () => {
    const made = await act(() => call(lessonApi.feed, { view, target_id }, { quiet: true }))
    if (made) show(`${window.location.origin}${made.path}`)
  }
  return (
    <AppModal open width={560} title="订阅课表" footer={null} onCancel={onClose}>
      <p>把地址加到手机或电脑的日历中，课表变动后自动更新。地址不用登录即可查看，请勿公开；重新生成后旧地址失效。</p>
      {address === undefined ? <Button type="primary" loading={busy} onClick={() => void make()}>生成地址</Button> : <Alert type="success" title={<Typography.Text copyable>{address}</Typography.Text>} />}
    </AppModal>
  )
}
