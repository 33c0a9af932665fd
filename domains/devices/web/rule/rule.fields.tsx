import { DeviceRule } from '@campus/devices/contract'
import { fields, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import type { ReactNode } from 'react'
import { Applied } from './rule-followers.tsx'
import { windowsOf } from './week.ts'
import { WeekPicture } from './week-picture.tsx'

type Name = 'keyword' | 'enabled' | 'rule_name' | 'week' | 'targets' | 'valid' | 'priority' | 'applied'

/** Fields of a rule; `toggle` is its switch. */
export function ruleFields(toggle: (rule: DeviceRule) => ReactNode): Fields<DeviceRule, Name> {
  return fields(DeviceRule, 'rule_id', {
    keyword: { label: '关键字', filter: textFilter('keyword', '规则名称') },
    enabled: { label: '状态', width: 84, cell: toggle, filter: selectFilter('enabled', [{ value: '1', label: '已启用' }, { value: '0', label: '已停用' }]) },
    rule_name: { label: '规则名称', width: 200, default_action: true },
    week: { label: '周历', width: 156, cell: row => <WeekPicture kind={row.rule_kind} windows={windowsOf(row.body)} /> },
    targets: { label: '适用范围', width: 150, cell: row => <Targets rule={row} /> },
    valid: { label: '有效期', width: 176, cell: row => `${row.valid_from} 至 ${row.valid_to ?? '长期'}` },
    priority: { label: '优先级', width: 70, kind: 'number' },
    applied: { label: '已生效设备', width: 150, cell: row => <Applied rule={row} /> },
  })
}

function Targets({ rule }: { rule: DeviceRule }): ReactNode {
  const text = [...rule.places, ...rule.devices].map(one => one.name).join('、')
  return <span className="rule-targets" title={text}>{text}</span>
}
