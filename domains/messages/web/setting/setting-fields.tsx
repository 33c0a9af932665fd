import type { AdapterName } from '@campus/messages/contract'
import { readNumber, wholeRule } from '@kit/web/number'
import { Form, Input, InputNumber, Select, Switch } from 'antd'
import type { ReactNode } from 'react'

const placeholders = '可用 {mobile} {title} {text} {template} {secret}，发送时填入'
const needed = (message: string) => [{ required: true, message }]

/** What an adapter has to know of its provider, besides the secret. */
export function SettingFields({ adapter }: { adapter: AdapterName }): ReactNode {
  if (adapter === 'sms_http') return <SmsFields />
  if (adapter === 'smtp') return <MailFields />
  if (adapter === 'wecom') return <WecomFields />
  if (adapter === 'weixin_mp') return <WeixinFields />
  return adapter === 'app_push' ? <PushFields /> : null
}

function WecomFields(): ReactNode {
  return (
    <>
      <div className="message-pair">
        <Form.Item name={['settings', 'corp_id']} label="企业ID" required extra="管理后台 → 我的企业 → 企业信息" rules={needed('请输入企业ID')}><Input maxLength={64} autoComplete="off" /></Form.Item>
        <Form.Item name={['settings', 'agent_id']} label="应用AgentId" required extra="密钥填该应用的Secret" rules={[{ required: true, pattern: /^\d{1,12}$/, message: 'AgentId为纯数字' }]}><Input maxLength={12} autoComplete="off" /></Form.Item>
      </div>
      <ProviderAddress fallback="https://qyapi.weixin.qq.com" />
    </>
  )
}

function WeixinFields(): ReactNode {
  return (
    <>
      <div className="message-pair">
        <Form.Item name={['settings', 'app_id']} label="公众号AppID" required extra="密钥填公众号的AppSecret" rules={needed('请输入AppID')}><Input maxLength={64} autoComplete="off" /></Form.Item>
        <Form.Item name={['settings', 'template_id']} label="默认模板ID" required extra="消息模板中未填写时使用" rules={needed('请输入模板ID')}><Input maxLength={100} autoComplete="off" /></Form.Item>
      </div>
      <div className="message-pair">
        <Form.Item name={['settings', 'title_field']} label="标题字段" extra="模板中填标题的字段名，不填为 thing1"><Input maxLength={40} placeholder="thing1" /></Form.Item>
        <Form.Item name={['settings', 'body_field']} label="正文字段" extra="不填为 thing2；thing 类字段最多20个字"><Input maxLength={40} placeholder="thing2" /></Form.Item>
      </div>
      <ProviderAddress fallback="https://api.weixin.qq.com" />
    </>
  )
}

function PushFields(): ReactNode {
  return (
    <>
      <Form.Item name={['settings', 'app_key']} label="AppKey" required extra="密钥填该应用的Master Secret；App以账号ID为别名接收" rules={needed('请输入AppKey')}><Input maxLength={64} autoComplete="off" /></Form.Item>
      <ProviderAddress fallback="https://api.jpush.cn/v3/push" />
    </>
  )
}

function ProviderAddress({ fallback }: { fallback: string }): ReactNode {
  return <Form.Item name={['settings', 'url']} label="接口地址" extra="使用自建转发服务时填写；更换后须重新填写密钥" rules={[{ type: 'url', message: '请输入 http 或 https 地址' }]}><Input maxLength={500} placeholder={fallback} /></Form.Item>
}

function SmsFields(): ReactNode {
  return (
    <>
      <Form.Item name={['settings', 'url']} label="接口地址" required rules={[{ required: true, type: 'url', message: '请输入 http 或 https 地址' }]}><Input maxLength={500} placeholder="https://sms.example.cn/send" /></Form.Item>
      <Form.Item name={['settings', 'content_type']} label="提交格式"><Select options={[{ value: 'application/json', label: 'JSON' }, { value: 'application/x-www-form-urlencoded', label: '表单' }]} /></Form.Item>
      <Form.Item name={['settings', 'body']} label="提交内容" required extra={placeholders} rules={needed('请输入提交内容')}><Input.TextArea rows={3} maxLength={2000} placeholder={'{"phone":"{mobile}","content":"{text}"}'} /></Form.Item>
      <Form.Item name={['settings', 'authorization']} label="Authorization 请求头" extra="没有则不填"><Input maxLength={500} placeholder="Bearer {secret}" /></Form.Item>
      <Form.Item name={['settings', 'ok_text']} label="成功标志" extra="应答中含有这段文字才算提交成功；不填则只看状态码"><Input maxLength={100} placeholder={'"code":0'} /></Form.Item>
      <div className="message-pair">
        <Form.Item name={['settings', 'id_field']} label="应答中的编号字段" extra="有送达回执时填写，多层用点隔开"><Input maxLength={80} placeholder="data.biz_id" /></Form.Item>
        <Form.Item name={['settings', 'receipt_id']} label="回执中的编号字段"><Input maxLength={80} placeholder="biz_id" /></Form.Item>
        <Form.Item name={['settings', 'receipt_state']} label="回执中的状态字段"><Input maxLength={80} placeholder="status" /></Form.Item>
        <Form.Item name={['settings', 'receipt_ok']} label="表示已送达的状态"><Input maxLength={40} placeholder="DELIVRD" /></Form.Item>
      </div>
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
