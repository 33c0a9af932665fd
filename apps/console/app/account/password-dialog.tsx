import { loginApi } from '@campus/identity/contract'
import { checkNewPassword, checkNewPasswordPair, checkOldPassword, checkPasswordSubmit, checkStrong } from '@kit/contract/checks'
import { AppModal, call, toast } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useSession } from '../session/session.ts'
import { changePassword } from './change-password.ts'
import { PasswordChecklist } from './password-checklist.tsx'

const LOWEST = 8

/** 修改密码: old, new, confirm, and the live list of what a password needs (platform rules P5, P6). */
export function PasswordDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { school, person } = useSession()
  const { data } = useQuery({ queryKey: [loginApi.passwordSet.call], queryFn: () => call(loginApi.passwordSet, { school_id: school.school_id }, { quiet: true }) })
  const [old_pass, setOld] = useState('')
  const [new_pass, setNew] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const min = data?.pwd_count ?? LOWEST
  const strong = data?.is_password_strong === 1
  const wrong = {
    old_pass: checkOldPassword(old_pass),
    new_pass: checkNewPassword(new_pass, min) ?? (strong ? checkStrong(new_pass) : null),
    again: checkNewPasswordPair(new_pass, again),
  }
  const save = async () => {
    setTried(true)
    const refusal = checkPasswordSubmit(Object.values(wrong))
    if (refusal !== null) return toast.warning(refusal)
    setBusy(true)
    const changed = await changePassword(old_pass, new_pass, person.user_id)
    setBusy(false)
    if (changed) onClose()
  }
  const item = (label: string, value: string, set: (text: string) => void, sentence: string | null, autoComplete: string) => (
    <Form.Item label={label} required validateStatus={sentence !== null && (tried || value !== '') ? 'error' : undefined} help={tried || value !== '' ? sentence : undefined}>
      <Input.Password value={value} maxLength={64} autoComplete={autoComplete} aria-label={label} onChange={(event) => set(event.target.value)} />
    </Form.Item>
  )
  return (
    <AppModal open title="修改密码" width={640} okText="确定" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      <Form labelCol={{ span: 4 }} className="app-password">
        {item('旧密码', old_pass, setOld, wrong.old_pass, 'current-password')}
        {item('新密码', new_pass, setNew, wrong.new_pass, 'new-password')}
        <PasswordChecklist value={new_pass} min={min} strong={strong} />
        {item('确认密码', again, setAgain, wrong.again, 'new-password')}
      </Form>
    </AppModal>
  )
}
