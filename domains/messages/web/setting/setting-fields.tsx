import type { AdapterName } from '@campus/messages/contract'
import { readNumber, wholeRule } from '@kit/web/number'
import { Form, Input, InputNumber, Select, Switch } from 'antd'
import type { ReactNode } from 'react'

const placeholders = '可用 {mobile} {title} {text} {template} {secret}，发送时填入'
const needed = (message: string) => [{ required: true, message }]

/** What an adapter has to know of its provider, besides the secret. */
export function SettingFields({ adapter }: { adapter: AdapterName }): ReactNode {
  if (adapter === 'sms_http') return <SmsFields />
  return adapter === 'smtp' ? <MailFields /> : null
}

function SmsFields(): ReactNode {
  return (
    <>
      <Form.Item name={['settings', 'url']} label="接口地址" required rules={[{ required: true, type: 'url', message: '请输入 http 或 https 地址' }]}><Input maxLength={500} placeholder="https://sms.example.cn/send" /></Form.Item>
      <Form.Item name={['settings', 'content_type']} label="提交格式"><Select options={[{ value: 'application/json', label: 'JSON' }, { value: 'application/x-www-form-urlencoded', label: '表单' }]} /></Form.Item>
      <Form.Item name={['settings', 'body']} label="提交内容" required extra={placeholders} rules={needed('请输入提交内容')}><Input.TextArea rows={3} maxLength={2000} placeholder={'{"phone":"{mobile}","content":"{text}"}'} /></Form.Item>
      <Form.Item name={['settings', 'authorization']} label="Authorization 请求头" extra="没有则不填"><Input maxLength={500} placeholder="Bearer {secret}" /></Form.Item>
      <Form.Item name={['settings', 'ok_text']} label="成功标志" extra="应答中含有这段文字才算提交成功；不填则只看状态码"><Input maxLength={100} placeholder={'"code":0'} /></Form.Item>
    </>
  )
}

function MailFields(): ReactNode {
  return (
    <>
      <div className="message-pair">
        <Form.Item name={['settings', 'host']} label="服务器" required rules={needed('请输入服务器地址')}><Input maxLength={200} placeholder="smtp.example.cn" /></Form.Item>
        <Form.Item name={['settings', 'port']} label="端口" required rules={[...needed('请输入端口'), wholeRule(1, 65_535)]}><InputNumber precision={0} parser={readNumber} className="kit-fill" placeholder="465" /></Form.Item>
      </div>
      <Form.Item name={['settings', 'secure']} label="直接使用 TLS" valuePropName="checked" extra="端口 465 打开；587 关闭，由服务器转为加密"><Switch /></Form.Item>
      <div className="message-pair">
        <Form.Item name={['settings', 'from']} label="发件人" required rules={needed('请输入发件人地址')}><Input maxLength={200} placeholder="notice@school.cn" /></Form.Item>
        <Form.Item name={['settings', 'user']} label="登录名" extra="不需要登录则不填"><Input maxLength={200} autoComplete="off" /></Form.Item>
      </div>
    </>
  )
}
