import { DEVICE_DIRECTION } from '@campus/devices/contract'
import type { CardRead } from '@campus/devices/contract'
import { dictionaryName } from '@kit/web'

export type Outcome = { text: string; tone: 'good' | 'bad' | 'plain' }
const passed = 1

/** What became of a reading, in words: let through, refused and why, or only read. */
export function outcomeOf({ pass_state, user_id }: CardRead): Outcome {
  if (pass_state !== null) return { text: dictionaryName('PASS_STATE', String(pass_state)), tone: pass_state === passed ? 'good' : 'bad' }
  return user_id === null ? { text: '未知卡', tone: 'bad' } : { text: '已读卡', tone: 'plain' }
}

/** Who it was; somebody the school does not know is told by the end of his card. */
export function whoOf({ user_name, user_id, code_masked }: CardRead): string {
  if (user_name !== null) return user_name
  if (user_id !== null) return '已注销人员'
  return code_masked === null ? '陌生人' : `未知卡 ${code_masked}`
}

/** How he was known, and which way he went. */
export function wayOf({ verify_mode, direction }: CardRead): string {
  const mode = dictionaryName('VERIFY_MODE', String(verify_mode))
  return direction === null ? mode : `${mode} · ${DEVICE_DIRECTION.names[direction === 1 ? '1' : direction === 2 ? '2' : '3']}`
}

/** Where it was, without the name of the campus that every place begins with, and what that was called then when it was something else. */
export function placeOf({ node_path_name, then_name }: Pick<CardRead, 'node_path_name' | 'then_name'>): string {
  if (node_path_name === null) return '未绑定场所'
  return then_name === null ? belowCampus(node_path_name) : `${belowCampus(node_path_name)}（当时名称：${belowCampus(then_name)}）`
}

function belowCampus(path: string): string {
  const [campus = '', ...below] = path.split('/')
  return below.length === 0 ? campus : below.join('/')
}
