import type { ReactNode } from 'react'
import { RuleList } from './rule-list.tsx'

/** 门禁规则. */
export default function DeviceRuleDoor(): ReactNode {
  return <RuleList kind={1} about="常开、常闭和核验方式按周历执行，设备断网时也照常执行；消防报警和远程开门优先于规则。" />
}
