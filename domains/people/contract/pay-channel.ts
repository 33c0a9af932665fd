/** Channels of payment: 1 支付宝, 2 微信, 3 银行 (chapter 20 §1.5). */
export const pay_channels = ['1', '2', '3'] as const
export type PayChannel = (typeof pay_channels)[number]
export const channel_names: Readonly<Record<PayChannel, string>> = { '1': '支付宝', '2': '微信', '3': '银行' }
