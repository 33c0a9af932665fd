import { config_sources, ConfigProfile, trial_states } from '@campus/devices/contract'
import type { DeviceModel } from '@campus/devices/contract'
import { fields, instantText, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'

type Name = 'keyword' | 'profile_name' | 'level' | 'model_code' | 'targets' | 'settings' | 'applied' | 'trial' | 'updated_at'
const trial_colors = { waiting: 'blue', passed: 'green', failed: 'red' } as const

/** Fields of a profile. */
export function profileFields(models: readonly DeviceModel[]): Fields<ConfigProfile, Name> {
  return fields(ConfigProfile, 'profile_id', {
    keyword: { label: '关键字', filter: textFilter('keyword', '方案名称') },
    profile_name: { label: '方案名称', width: 180, default_action: true },
    level: { label: '级别', width: 72, cell: row => config_sources[row.level] },
    model_code: { label: '型号', width: 140, cell: row => row.model_name ?? '全部型号', filter: selectFilter('model_code', models.map(model => ({ value: model.model_code, label: `${model.model_code} ${model.model_name}` }))) },
    targets: { label: '适用范围', width: 200, cell: row => <Targets profile={row} /> },
    settings: { label: '设置项', width: 72, kind: 'number', cell: row => Object.keys(row.values).length + row.secret_keys.length },
    applied: { label: '已生效设备', width: 104, kind: 'number', cell: row => `${row.devices_applied}/${row.devices_wanted}` },
    trial: { label: '试点', width: 150, cell: row => <Trial profile={row} /> },
    updated_at: { label: '修改', width: 160, cell: row => <>{instantText(row.updated_at)}<small className="device-quiet">{row.updated_by_name ?? '系统'}</small></> },
  })
}

function Targets({ profile: { level, places, devices } }: { profile: ConfigProfile }): ReactNode {
  const text = [...places, ...devices].map(one => one.name).join('、')
  return <span className="config-targets" title={text}>{text === '' ? (level === 'school' ? '全校' : '该型号全部设备') : text}</span>
}

function Trial({ profile: { trial } }: { profile: ConfigProfile }): ReactNode {
  if (!trial) return ''
  return <Tooltip title={[`试点设备：${trial.canary_name}`, trial.text].filter(Boolean).join('；')}><Tag color={trial_colors[trial.state]}>{trial_states[trial.state]}</Tag></Tooltip>
}
