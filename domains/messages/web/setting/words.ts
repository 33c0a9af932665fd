import type { AdapterName, OutsideChannel } from '@campus/messages/contract'

/** What carries each channel. */
export const adapters_of: Readonly<Record<OutsideChannel, readonly AdapterName[]>> = { 2: ['log', 'wecom', 'weixin_mp'], 3: ['log', 'sms_http'], 4: ['log', 'smtp'], 5: ['log', 'app_push'] }

export const adapter_names: Readonly<Record<AdapterName, string>> = {
  log: '仅记录，不外发', sms_http: '短信网关（HTTP）', smtp: '邮件服务器（SMTP）', wecom: '企业微信', weixin_mp: '微信服务号', app_push: 'App 推送（极光）', test: '测试通道',
}

export const source_names: Readonly<Record<string, string>> = { audit: '日志审计', identity: '账号与角色', job: '后台任务', people: '人员档案' }

/** The sources of messages as a list offers them. */
export const source_options = Object.entries(source_names).map(([value, label]) => ({ value, label }))
