import { SubAppDraft } from '@campus/school/contract'
import type { ruleOf } from '@kit/web'
import { Button, Form, Input, Radio, Select, Switch } from 'antd'
import type { ReactNode } from 'react'

const shape = SubAppDraft.shape
const at = (name: keyof SubAppDraft) => ['sub_app', name]

/** How a sub-application is opened: our own pages or a partner's, how the link is signed, and who may show it in a frame. */
export function SubAppFields({ has_secret, built, rule }: { has_secret: boolean; built: boolean; rule: typeof ruleOf }): ReactNode {
  return (
    <div className="nav-fields">
      <Form.Item className="nav-inline" name={at('entry_open')} label="在菜单中显示入口" valuePropName="checked"><Switch /></Form.Item>
      <Form.Item name={at('sub_app_url')} label="合作方地址" extra={built ? '不填则打开本产品页面' : '填写合作方提供的地址后，应用才在菜单中显示'} rules={[rule(shape.sub_app_url)]}><Input maxLength={300} placeholder="https://" allowClear /></Form.Item>
      <Form.Item name={at('token_url')} label="合作方令牌地址" extra="合作方自行发放令牌时填写" rules={[rule(shape.token_url)]}><Input maxLength={300} placeholder="https://" allowClear /></Form.Item>
      <Form.Item name={at('sign_mode')} label="签名方式">
        <Radio.Group options={[{ value: 'hmac', label: 'HMAC-SHA256（推荐）' }, { value: 'md5', label: 'MD5（仅兼容旧合作方）' }]} />
      </Form.Item>
      <Secret has_secret={has_secret} />
      <Form.Item className="nav-inline" name={at('frame_origins')} label="允许嵌入的来源" extra="最多5个，如https://portal.example.cn；内网部署可填写http://加局域网地址" rules={[rule(shape.frame_origins)]}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', '，', ' ']} placeholder="输入后按Enter" />
      </Form.Item>
    </div>
  )
}

/** Write-only: what is kept is never shown, an empty field leaves it, 清除 takes it away. */
function Secret({ has_secret }: { has_secret: boolean }): ReactNode {
  const form = Form.useFormInstance()
  const cleared = Form.useWatch(at('secret'), form) === null
  const extra = cleared ? '保存后将清除密钥' : has_secret ? '已设置；留空表示不修改' : '不填则使用本系统的密钥'
  return (
    <Form.Item label="共享密钥" extra={extra} htmlFor="module_sub_app_secret">
      <div className="nav-secret">
        <Form.Item name={at('secret')} noStyle getValueProps={value => ({ value: value ?? '' })} rules={[{ min: 8, message: '密钥至少8位' }]}>
          <Input.Password maxLength={100} autoComplete="new-password" placeholder={has_secret && !cleared ? '●●●●' : ''} />
        </Form.Item>
        {has_secret && <Button onClick={() => form.setFieldValue(at('secret'), cleared ? undefined : null)}>{cleared ? '不清除' : '清除'}</Button>}
      </div>
    </Form.Item>
  )
}
