import { loginApi } from '@campus/identity/contract'
import { password_kinds, passwordLookupApi } from '@campus/people/contract'
import type { PasswordLine } from '@campus/people/contract'
import { AppModal, call, useSaving } from '@kit/web'
import { Alert, Button, Empty, Form, Input, Radio, Tag } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { validated } from '../refused.ts'
import './password.css'

type Kind = PasswordLine['kind']
type Values = { kind: Kind; phone: string; cap_value: string }
const kinds = Object.entries(password_kinds).map(([value, label]) => ({ value, label }))
const needed = (message: string) => [{ required: true, whitespace: true, message }]

/** 初始密码查询: whether whoever has this mobile still has the password he was given. No password is shown, for none is known. */
export function LookupDialog({ kind, onClose }: { kind: Kind; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const [found, setFound] = useState<readonly PasswordLine[] | null>(null)
  const { captcha, renew } = useCaptcha()
  const { busy, refused, run } = useSaving(form)
  const ask = async () => {
    const values = await validated(form)
    if (!values || captcha === null) return
    setFound(null)
    const done = await run(async () => setFound((await call(passwordLookupApi.byPhone, { ...values, phone: values.phone.trim(), cap_key: captcha.key }, { quiet: true })).list))
    // A captcha is spent by the question, whatever the answer was.
    form.setFieldValue('cap_value', '')
    await renew()
    if (done) form.getFieldInstance('phone')?.focus?.()
  }
  return (
    <AppModal open title="初始密码查询" width={480} onCancel={onClose} footer={<><Button onClick={onClose}>关闭</Button><Button type="primary" loading={busy} onClick={() => void ask()}>查询</Button></>}>
      {refused !== null && <Alert type="error" showIcon title={refused} />}
      <Form form={form} layout="vertical" initialValues={{ kind, phone: '', cap_value: '' }} onFinish={() => void ask()}>
        <Form.Item name="kind" label="查询对象"><Radio.Group options={kinds} /></Form.Item>
        <Form.Item name="phone" label="手机号" rules={needed('请输入手机号')} extra="学生可填写联系电话或家长手机号"><Input autoComplete="off" maxLength={11} inputMode="numeric" /></Form.Item>
        <div className="pwd-captcha">
          <Form.Item name="cap_value" label="验证码" rules={needed('请输入验证码')}><Input autoComplete="off" maxLength={4} onPressEnter={() => void ask()} /></Form.Item>
          <Button type="text" className="pwd-picture" aria-label="换一张验证码" onClick={() => void renew()}>{captcha?.image ? <img src={captcha.image} alt="验证码图片" /> : '点击重试'}</Button>
        </div>
      </Form>
      {found !== null && <Answers list={found} />}
    </AppModal>
  )
}

function Answers({ list }: { list: readonly PasswordLine[] }): ReactNode {
  if (list.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有找到使用该手机号的人员，请核对号码和查询对象" />
  return (
    <ul className="pwd-found" aria-live="polite">
      {list.map((line, at) => (
        <li key={at}>
          <span>{line.user_name}（{password_kinds[line.kind]}）</span>
          <span><Tag color={line.is_default ? 'orange' : 'default'}>{line.is_default ? '仍为初始密码' : '不是初始密码'}</Tag>{line.rule_text}</span>
        </li>
      ))}
    </ul>
  )
}

type Captcha = { key: string; image: string | null }

/** One captcha at a time; a spent one is renewed by whoever spent it. */
function useCaptcha(): { captcha: Captcha | null; renew: () => Promise<void> } {
  const [captcha, setCaptcha] = useState<Captcha | null>(null)
  const renew = useCallback(async () => {
    setCaptcha(await call(loginApi.captcha, { type: 'login' }, { quiet: true }).catch(() => null))
  }, [])
  useEffect(() => void renew(), [renew])
  return { captcha, renew }
}
