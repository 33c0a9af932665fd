import { adapter_facts, checkSettings, match_words, provider_kept_secret } from '@campus/identity/contract'
import type { ProviderAdapter, ProviderField } from '@campus/identity/contract'
import { Form, Input, Select, Switch, Typography } from 'antd'
import type { FormInstance } from 'antd'
import type { ReactNode } from 'react'

/** What is typed about a way to sign in. */
export type ProviderValues = { enabled: boolean; label: string; match_by?: 'external_bind' | 'user_no' | 'phone'; settings?: Record<string, string>; secret?: string; password?: string }
type Props = { form: FormInstance<ProviderValues>; adapter: ProviderAdapter; initial: ProviderValues; callback: string | null }

/** The settings of one adapter, each with what it is and where it is found. A secret is typed, never shown. */
export function SettingsForm({ form, adapter, initial, callback }: Props): ReactNode {
  const fact = adapter_facts[adapter]
  const match_by = Form.useWatch('match_by', form) ?? initial.match_by ?? 'external_bind'
  return (
    <Form form={form} name="login-provider" layout="vertical" initialValues={initial} className="provider-form">
      <p className="provider-about provider-wide">{fact.about}</p>
      <Form.Item name="label" label="显示名称" required extra="显示在登录页“其他登录方式”下" rules={[{ required: true, whitespace: true, message: '请填写显示名称' }]}><Input maxLength={20} autoComplete="off" /></Form.Item>
      {fact.fields.map(field => <SettingItem key={field.key} field={field} adapter={adapter} />)}
      {fact.secret && (
        <Form.Item name="secret" label={fact.secret.label} required={fact.secret.required} extra={fact.secret.help}>
          <Input.Password maxLength={500} autoComplete="new-password" visibilityToggle={false} onFocus={({ target }) => target.value === provider_kept_secret && target.select()} />
        </Form.Item>
      )}
      {fact.matches.length > 1 && (
        <Form.Item name="match_by" label="匹配依据" extra={match_words[match_by][1]}><Select options={fact.matches.map(value => ({ value, label: match_words[value][0] }))} /></Form.Item>
      )}
      {callback !== null && fact.is_offered && adapter !== 'test' && (
        <Form.Item label="回调地址" className="provider-wide" extra="把这个地址登记到对方平台；域名须与平台的可信域名一致"><Typography.Text code copyable={{ text: callback, tooltips: ['复制', '已复制'] }}>{callback}</Typography.Text></Form.Item>
      )}
      <Form.Item name="enabled" label="启用" valuePropName="checked" extra="启用后登录页立即显示；建议先保存并测试登录"><Switch /></Form.Item>
      <Form.Item name="password" label="您的登录密码" required rules={[{ required: true, message: '请输入密码' }]} extra="为确认是您本人操作"><Input.Password maxLength={64} autoComplete="current-password" /></Form.Item>
    </Form>
  )
}

function SettingItem({ field, adapter }: { field: ProviderField; adapter: ProviderAdapter }): ReactNode {
  const { key, label, help, required, choices, fallback } = field
  const check = (_: unknown, value: string | undefined) => {
    const wrong = checkSettings(adapter, { [key]: value ?? '' }).find(({ field: name }) => name === `settings.${key}`)
    // What is missing may be filled in later; a line that is off may be half-finished.
    return wrong && value ? Promise.reject(new Error(wrong.msg)) : Promise.resolve()
  }
  return (
    <Form.Item name={['settings', key]} label={label} required={required} extra={help} rules={[{ validator: check }]}>
      {choices ? <Select options={choices.map(({ value, label: word }) => ({ value, label: word }))} /> : <Input maxLength={200} autoComplete="off" placeholder={fallback} />}
    </Form.Item>
  )
}
