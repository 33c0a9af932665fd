import type { Cause, StateRow } from '@campus/devices/contract'
import { timeText } from './time.ts'

/** What a device is doing, as far as its rows depend on it. */
export type Receiver = { online: boolean; is_push: boolean; lifecycle: string }
/** A row as it lies, with why it is where it is. */
export type RowFact = Pick<StateRow, 'kind' | 'row_key' | 'want_op' | 'state' | 'attempts'> & { reason_code: string | null; reason_text: string | null; next_at: Date; acked_at: Date | null; proven_at: Date | null }
/** What is the matter, and what to do about it (null: nothing); `cause`: what a button mends. */
export type Told = { sentence: string; next_step: string | null; cause: Cause | null }

const [wait, check_line] = ['无需处理，等待设备确认', '检查设备的电源和网络']
/** What the key of a face begins with. */
const face_key = 'f'
const told = (sentence: string, next_step: string | null = null, cause: Cause | null = null): Told => ({ sentence, next_step, cause })

/** Why a row is not sent at all, known before anything is tried (chapter 30 §2.3). */
const blocked: Readonly<Record<string, readonly [string, string, Cause?]>> = {
  no_consent: ['没有人脸采集同意', '请家长或本人完成人脸采集授权', 'person_data'],
  photo_too_big: ['人脸照片超过设备允许的大小', '重新上传较小的人脸照片', 'photo_unfit'],
  photo_not_jpg: ['人脸照片不是JPG格式', '重新上传JPG格式的人脸照片', 'photo_unfit'],
  photo_waiting: ['正在生成设备用的人脸照片', '无需处理，完成后自动下发'],
  photo_gone: ['找不到人脸照片的原图', '重新上传此人的人脸照片', 'photo_unfit'],
  photo_unverified: ['人脸照片还没有审核', '先审核此人的人脸照片', 'person_data'],
  password_length: ['识别密码的位数与设备不符', '请此人按学校统一的位数重设识别密码', 'person_data'],
  capacity: ['设备容量不足', '缩小该场所的通行范围，或更换容量更大的设备'],
  unsupported_credential: ['凭证不可用', '检查此人的卡是否已挂失或停用', 'person_data'],
  unsupported_rule: ['该型号不支持此规则', '改用该型号支持的规则'],
  paused: ['设备已暂停下发', '选中设备点“恢复下发”', 'push_paused'],
  held: ['本次删除人数过多，等待确认', '由有权限的人员确认后继续', 'mass_held'],
  private_zone: ['设备位于私密区域', '把设备移到其他场所', 'private_zone'],
}

/** One sentence about a row, and the next step of whoever looks at it; pure. */
export function tellRow(row: RowFact, device: Receiver): Told {
  if (row.state === 'blocked') return tellBlocked(row.reason_code)
  if (row.state === 'refused') return tellRefused(row)
  if (row.state === 'unknown') return told('已发出但设备没有回应，不清楚是否已保存', device.online ? '无需处理，正在回读核对' : `${check_line}，恢复连接后先回读核对`, device.online ? 'unanswered' : null)
  if (row.state === 'sent') return told(row.want_op === 'put' ? '已发给设备，还没有确认' : '已通知设备删除，还没有确认', wait)
  if (row.state === 'pending') return row.want_op === 'put' ? tellWaiting(row, device) : tellLeaving(row, device)
  if (row.state === 'gone') return told(row.acked_at === null ? '设备上没有这条数据' : `已于${timeText(row.acked_at)}由设备确认删除`)
  const at = row.proven_at ?? row.acked_at
  return told(at === null ? '已在设备上生效' : `已于${timeText(at)}${row.state === 'proven' ? '回读核对一致' : '由设备确认生效'}`)
}

/** Why a device has refused a row, or it was given up, and what to do about it. */
export function tellRefused(row: Pick<RowFact, 'kind' | 'row_key' | 'reason_code' | 'reason_text'>): Told {
  const sentence = `被设备拒绝：${refusalText(row)}`
  if (row.reason_code === 'retry_exhausted') return told(sentence, '检查设备是否正常，再重新下发', 'retry_exhausted')
  return told(sentence, '按原因修改资料，保存后自动重新下发', row.row_key.startsWith(face_key) && row.kind === 'credential' ? 'face_refused' : 'row_refused')
}

/** Why a device has refused a row. */
function refusalText({ reason_code, reason_text }: Pick<RowFact, 'reason_code' | 'reason_text'>): string {
  if (reason_code === 'retry_exhausted') return '多次下发仍未成功'
  return reason_text || reason_code || '没有说明原因'
}

/** Why something is not sent, for whoever looks at it. */
export function tellBlocked(reason_code: string | null): Told {
  const known = blocked[reason_code ?? '']
  return known ? told(`没有下发：${known[0]}`, known[1], known[2]) : told('没有下发：凭证不可用', '检查此人的卡、人脸和密码', 'person_data')
}

function tellWaiting({ attempts, next_at }: RowFact, { lifecycle, is_push, online }: Receiver): Told {
  if (lifecycle === 'disabled') return told('等待下发：设备已停用', '在“更多”中启用设备', 'device_disabled')
  if (!is_push) return told('等待下发：设备已暂停下发', '选中设备点“恢复下发”', 'push_paused')
  if (!online) return told('等待下发：设备离线', `${check_line}，恢复连接后自动下发`)
  if (attempts > 0) return told(`暂时没能保存到设备，已试${attempts}次`, `无需处理，${timeText(next_at)}再试`, 'retrying')
  return told('正在排队下发', wait)
}

/** What takes rights away is never paused (chapter 30 rule 4). */
function tellLeaving({ kind }: RowFact, { is_push, online, lifecycle }: Receiver): Told {
  if (!online) return told('应当删除，但设备离线，现在可能仍然有效', `${check_line}，恢复连接后最先删除`)
  if (kind === 'permission' && (!is_push || lifecycle === 'disabled')) return told('不再使用，恢复下发后删除', '已没有人使用，无需处理')
  return told('正在从设备删除', wait)
}
