import { AppModal } from '@kit/web'
import { Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { PasswordChecklist } from './password-checklist.tsx'
import { password_ids, useOwnPassword } from './use-own-password.ts'
import type { PasswordName } from './use-own-password.ts'

/** 修改密码: old, new, confirm, and the live list of what a password needs (platform rules P5, P6). Enter confirms from any field. */
export function PasswordDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { texts, min, strong, busy, submit, set, sentenceOf } = useOwnPassword(onClose)
  const item = (label: string, name: PasswordName, autoComplete: string) => {
    const id = password_ids[name]
    const sentence = sentenceOf(name)
    return (
      <Form.Item label={label} htmlFor={id} required validateStatus={sentence === null ? undefined : 'error'} help={sentence && <span id={`${id}_error`}>{sentence}</span>}>
        <Input.Password
          id={id} value={texts[name]} maxLength={64} autoComplete={autoComplete} aria-label={label} aria-required
          aria-invalid={sentence !== null} aria-describedby={sentence === null ? undefined : `${id}_error`}
          onChange={event => set(name, event.target.value)} onPressEnter={event => event.ctrlKey || void submit()}
        />
      </Form.Item>
    )
  }
  return (
    <AppModal
      open title="修改密码" width={640} okText="确定" confirmLoading={busy} okButtonProps={{ 'aria-disabled': busy }}
      onOk={() => void submit()} onCancel={() => busy || onClose()}
    >
      <Form labelCol={{ span: 4 }} className="app-password">
        {item('旧密码', 'old_pass', 'current-password')}
        {item('新密码', 'new_pass', 'new-password')}
        <PasswordChecklist value={texts.new_pass} min={min} strong={strong} />
        {item('确认密码', 'again', 'new-password')}
      </Form>
    </AppModal>
  )
}
