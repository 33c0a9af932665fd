import { row_states } from '@campus/devices/contract'
import type { AiRule } from '@campus/devices/contract'
import { Button, Popover, Tag } from 'antd'
import type { ReactNode } from 'react'
import { row_colors } from '../row-colors.ts'
import { isAnswered, isInForce } from './ai-words.ts'

/** On how many boxes a rule is in force, and what is the matter with the first on which it is not. */
export function RuleBoxes({ rule }: { rule: AiRule }): ReactNode {
  const { boxes, enabled, rule_name } = rule
  const bad = boxes.find(box => !isInForce(box) && isAnswered(box)) ?? boxes.find(box => !isInForce(box))
  if (boxes.length === 0) return <span className="device-quiet">{enabled ? '没有盒子：摄像机未绑定AI盒子' : '—'}</span>
  const in_force = `${boxes.filter(isInForce).length}/${boxes.length}台生效`
  return (
    <span>
      <Popover trigger="click" title={`“${rule_name}”在各盒子上`} content={<BoxLines rule={rule} />}>
        <Button type="link" size="small" className="ai-inline" aria-label={`${in_force}，查看各盒子 ${rule_name}`}>{in_force}</Button>
      </Popover>
      {bad && <small className={isAnswered(bad) ? 'ai-suggest' : 'device-quiet'} title={bad.sentence}>{`${bad.box_name}：${bad.sentence}`}</small>}
    </span>
  )
}

/** Each box of a rule: whether it goes by it, and if not, why and what to do. */
export function BoxLines({ rule: { boxes, cameras } }: { rule: AiRule }): ReactNode {
  const unseen = cameras.filter(camera => camera.box_name === null)
  return (
    <ul className="ai-box-lines">
      {boxes.map(box => (
        <li key={box.device_id}>
          <Tag color={row_colors[box.state]}>{box.want_op === 'delete' ? '待删除' : row_states[box.state]}</Tag>
          <span>{`${box.box_name}${box.online ? '' : '（离线）'}`}<small>{[box.sentence, box.next_step].filter(Boolean).join('。')}</small></span>
        </li>
      ))}
      {unseen.length > 0 && <li><Tag>没有盒子</Tag><span>{unseen.map(camera => camera.camera_name).join('、')}<small>没有绑定AI盒子，不会预警。请在“视频监控”的摄像机页绑定</small></span></li>}
    </ul>
  )
}
