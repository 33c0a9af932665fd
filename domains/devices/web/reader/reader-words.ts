/** What the six errors of a reader mean to whoever sits before it (chapter 31 §8). */
export const reader_sentences: Readonly<Record<number, string>> = {
  1: '没有检测到卡片，请把卡片平放在读卡器上',
  2: '还没有读到卡片，请把卡片平放在读卡器上',
  3: '读卡器忙，请稍候再放卡',
  4: '密钥错误，请联系管理员核对社保卡密钥和读卡器的配对密钥',
  5: '读卡器未打开或已断开，请检查数据线，恢复后自动继续',
  6: '检测到多张卡，请只放一张卡',
}
export const unreachable = '读卡服务没有响应，请确认本机已安装并启动读卡服务'
export const unknown_error = '读卡器返回未知错误，请重新插拔读卡器后再试'
export const in_use_elsewhere = '读卡器正被其他页面使用'
export const not_near = 'IP地址不合法'
export const needs_own_reader = '当前页面为安全连接，请在本机安装读卡服务'
export const needs_reload = '首次使用此读卡点需要刷新页面'

/** How a reader is, in one word. */
export const reader_states = { off: '未连接', connected: '已连接', waiting: '请放卡', read: '读取成功', error: '错误' } as const
export type ReaderState = keyof typeof reader_states
