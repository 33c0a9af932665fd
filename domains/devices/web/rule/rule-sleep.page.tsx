import type { ReactNode } from 'react'
import { RuleList } from './rule-list.tsx'

/** 休眠规则. */
export default function DeviceRuleSleep(): ReactNode {
  return <RuleList kind={3} about="在时段内无人使用时调暗或关闭屏幕，按设置的方式唤醒。" />
}
