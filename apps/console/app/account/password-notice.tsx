import { AppModal, readStored, serverNow, store } from '@kit/web'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useSession } from '../session/session.ts'
import { DEFAULT_NOTICE_UNTIL, dismissalOf, showsNotice } from './notice.ts'

/** 密码安全通知, when the layout opens; closing it keeps it closed for the day. */
export function PasswordNotice(): ReactNode {
  const { person } = useSession()
  const [open, setOpen] = useState(() =>
    showsNotice({
      now: serverNow(),
      until: DEFAULT_NOTICE_UNTIL,
      account: readStored('account') ?? '',
      user_id: person.user_id,
      dismissed: readStored('pwdNotice'),
    }),
  )
  const close = () => {
    store('pwdNotice', dismissalOf(serverNow(), person.user_id))
    setOpen(false)
  }
  return (
    <AppModal open={open} title="密码安全通知" width={640} onCancel={close} footer={<Button type="primary" onClick={close}>我知道了</Button>}>
      <p>为保障账号安全，密码须为8-64位，并包含大小写字母、数字和特殊符号中的任意三种。不符合要求的密码将在登录时被要求修改。</p>
    </AppModal>
  )
}
