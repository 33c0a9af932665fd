import { dict } from '@kit/contract'

/** Ways a message reaches a person; 1 is the inbox of the product itself, the others leave it. */
export const message_channel = dict('MESSAGE_CHANNEL', { '1': '站内', '2': '微信', '3': '短信', '4': '邮件', '5': 'App' })

/** Why a delivery did not arrive. */
export const message_reason = dict('MESSAGE_REASON', { '1': '无账号', '2': '未绑定', '3': '未关注', '4': '发送失败', '5': '已停用', '6': '超出额度', '7': '已撤回' })

/** State of one delivery. `logged`: the channel writes to the log alone, nothing has left the machine. Only a receipt makes `delivered` outside. */
export const delivery_states = ['queued', 'deferred', 'submitted', 'logged', 'delivered', 'failed', 'skipped', 'withdrawn', 'expired'] as const
export type DeliveryState = (typeof delivery_states)[number]

export const delivery_names: Readonly<Record<DeliveryState, string>> = {
  queued: '待发送', deferred: '已推迟', submitted: '已提交', logged: '已记录(未外发)', delivered: '已送达', failed: '失败', skipped: '已跳过', withdrawn: '已撤回', expired: '已过期',
}

export const level_names: Readonly<Record<1 | 2 | 3, string>> = { 1: '普通', 2: '重要', 3: '紧急' }

/** What carries a channel's messages; `log` writes to the log alone, `test` exists in the test environment. */
export const adapters = ['log', 'wecom', 'weixin_mp', 'sms_http', 'smtp', 'app_push', 'test'] as const
export type AdapterName = (typeof adapters)[number]
