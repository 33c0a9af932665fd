import { firmwareApi, schoolSettingApi } from '@campus/devices/contract'
import { mayDiscard, PageTabs, useCan, usePage } from '@kit/web'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { PackageList } from '../firmware/package-list.tsx'
import { TaskList } from '../firmware/task-list.tsx'
import { DiffList } from './diff-list.tsx'
import { ModelList } from './model-list.tsx'
import { ProfileList } from './profile-list.tsx'
import { SchoolSettings } from './school-setting.tsx'
import { SingleConfig } from './single-config.tsx'
import '../devices.css'
import './config.css'

const tabs = [{ key: 'profiles', label: '配置方案' }, { key: 'single', label: '单机配置' }, { key: 'diff', label: '差异' }, { key: 'models', label: '型号限额' }] as const
const school_tab = { key: 'school', label: '学校设置' } as const
const firmware_tabs = [{ key: 'packages', label: '固件包' }, { key: 'tasks', label: '升级任务' }] as const

/** 设备配置: profiles for places, models and the school, the settings of one device, what is otherwise than it is to be, firmware, and what the school has set for all of them. */
export default function DeviceConfigPage(): ReactNode {
  const [tab, setTab] = useState<(typeof tabs)[number]['key'] | (typeof firmware_tabs)[number]['key'] | (typeof school_tab)['key']>('profiles')
  const [device_id, choose] = useState<string | null>(null)
  const [sees_firmware, sees_school] = [useCan(firmwareApi.list), useCan(schoolSettingApi.read)]
  const { setSearch } = usePage()
  const is_typed = useRef(false)
  const mayLeave = async () => {
    if (is_typed.current && !(await mayDiscard())) return false
    is_typed.current = false
    return true
  }
  // Filters in the address bar are of one tab.
  const open = async (key: typeof tab) => {
    if (key === tab || !(await mayLeave())) return
    setSearch({})
    setTab(key)
  }
  const show = (id: string) => {
    choose(id)
    void open('single')
  }
  const another = async (id: string | null) => {
    if (await mayLeave()) choose(id)
  }
  return (
    <>
      <PageTabs tabs={[...tabs, ...(sees_firmware ? firmware_tabs : []), ...(sees_school ? [school_tab] : [])]} value={tab} onChange={key => void open(key)} />
      <div className="config-tab">
        {tab === 'profiles' && <ProfileList />}
        {tab === 'single' && <SingleConfig device_id={device_id} choose={id => void another(id)} mark={is => { is_typed.current = is }} />}
        {tab === 'diff' && <DiffList show={show} />}
        {tab === 'models' && <ModelList />}
        {tab === 'packages' && <PackageList />}
        {tab === 'tasks' && <TaskList />}
        {tab === 'school' && <SchoolSettings mark={is => { is_typed.current = is }} />}
      </div>
    </>
  )
}
