import { AppModal } from '@kit/web'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { DueNotice } from './use-notice.ts'

const own_words = '为保障账号安全，密码须为8-64位，并包含大小写字母、数字和特殊符号中的任意三种。不符合要求的密码将在登录时被要求修改。'

/** 密码安全通知 in the school's words; closing it keeps it closed for the day. */
export function PasswordNotice({ text, close }: DueNotice): ReactNode {
  return (
    <AppModal open title="密码安全通知" width={640} onCancel={close} footer={<Button type="primary" onClick={close}>我知道了</Button>}>
      {(text ?? own_words).split('\n').map((line, at) => <p key={at}>{line}</p>)}
    </AppModal>
  )
}
