import type { ReactNode } from 'react'
import { RuleList } from './rule-list.tsx'

/** 关机规则. */
export default function DeviceRuleClose(): ReactNode {
  return <RuleList kind={2} about="班牌、信息屏和广播功放到点自动关机、开机；校门通道设备不会关机。" />
}
