import { AiRule, false_alarm_high, false_alarm_least } from '@campus/devices/contract'
import { fields, instantText, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { weekdaysText } from '../rule/week.ts'
import { falseAlarms, kind_options, kindName } from './ai-words.ts'
import { RuleBoxes } from './rule-boxes.tsx'

type Name = 'keyword' | 'rule_name' | 'warn_kind' | 'cameras' | 'boxes' | 'windows' | 'merge_sec' | 'warnings_30d' | 'false_alarms' | 'last_hit_at' | 'enabled'

/** Fields of a rule of boxes; `toggle` is its switch. */
export function aiRuleFields(toggle: (rule: AiRule) => ReactNode): Fields<AiRule, Name> {
  return fields(AiRule, 'rule_id', {
    keyword: { label: '关键字', filter: textFilter('keyword', '规则名称') },
    rule_name: { label: '规则名称', width: 170, default_action: true },
    warn_kind: { label: '预警类型', width: 112, cell: row => <Tag>{kindName(row.warn_kind)}</Tag>, filter: selectFilter('warn_kind', [...kind_options]) },
    cameras: { label: '摄像机', width: 170, cell: row => <Cameras rule={row} /> },
    boxes: { label: '执行设备', width: 190, cell: row => <RuleBoxes rule={row} /> },
    windows: { label: '时段', width: 150, cell: row => <span className="rule-targets" title={windowsText(row)}>{windowsText(row)}</span> },
    merge_sec: { label: '合并（秒）', width: 84 },
    warnings_30d: { label: '近30天', width: 76 },
    false_alarms: { label: '误报率', width: 176, cell: row => <FalseAlarms rule={row} /> },
    last_hit_at: { label: '最近预警', width: 132, cell: row => (row.last_hit_at === null ? '—' : instantText(row.last_hit_at)) },
    enabled: { label: '状态', width: 72, cell: toggle, filter: selectFilter('enabled', [{ value: '1', label: '已启用' }, { value: '0', label: '已停用' }]) },
  })
}

function Cameras({ rule: { cameras } }: { rule: AiRule }): ReactNode {
  const text = cameras.map(camera => camera.camera_name).join('、')
  const away = cameras.filter(camera => !camera.online).length
  const unseen = cameras.filter(camera => camera.box_name === null).length
  return (
    <span>
      <span className="rule-targets" title={text}>{cameras.length > 1 ? `${cameras[0]?.camera_name ?? ''}等${cameras.length}台` : text}</span>
      {away > 0 && <small className="device-quiet">{`${away}台离线`}</small>}
      {unseen > 0 && <small className="device-quiet">{`${unseen}台未绑定盒子`}</small>}
    </span>
  )
}

function windowsText({ windows }: AiRule): string {
  return windows.length === 0 ? '全天' : windows.map(window => `${weekdaysText(window.weekdays)} ${window.begin}–${window.end}`).join('；')
}

/** How many of the decided warnings were nothing, and what to do when it is most of them. */
function FalseAlarms({ rule }: { rule: AiRule }): ReactNode {
  const share = falseAlarms(rule, false_alarm_least)
  if (share === null) return <span className="device-quiet">{`已处理${rule.decided_30d}条，暂不统计`}</span>
  return (
    <span>
      {`${share}%（${rule.ignored_30d}/${rule.decided_30d}）`}
      {share > false_alarm_high && <small className="ai-suggest" title="偏高，请缩小区域或降低灵敏度">偏高，请缩小区域或降低灵敏度</small>}
    </span>
  )
}
