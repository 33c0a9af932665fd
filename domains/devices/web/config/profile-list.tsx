import { PlusOutlined } from '@ant-design/icons'
import { configApi } from '@campus/devices/contract'
import type { ConfigProfile } from '@campus/devices/contract'
import { call, Can, confirmDanger, Filters, ListPage, sentenceOf, Table, toast, useCan, useResourceList } from '@kit/web'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useModels } from '../use-devices.ts'
import { profileFields } from './profile.fields.tsx'
import { useAgain, useConfigChanged } from './use-config.ts'

const ProfileDrawer = lazy(() => import('./profile-drawer.tsx').then(part => ({ default: part.ProfileDrawer })))
type Opened = { profile: ConfigProfile | null; is_copy: boolean } | null
const ROW_WIDTH = 120

/** 配置方案: what is set for whom, and how many devices have confirmed it; looked at again while a trial runs. */
export function ProfileList(): ReactNode {
  const [opened, open] = useState<Opened>(null)
  const models = useModels().data
  const may_edit = useCan(configApi.update)
  const changed = useConfigChanged()
  const list = useResourceList(configApi.list, useMemo(() => profileFields(models ?? []), [models]))
  useAgain(list.rows.some(row => row.trial?.state === 'waiting'))
  const remove = async (profile: ConfigProfile) => {
    const is_sure = await confirmDanger({ title: `删除方案“${profile.profile_name}”？`, touches: `${profile.devices_wanted}台设备改用上一级的设置；没有上一级设置的，自有终端恢复出厂值，其他设备保持现值`, ok: '删除' })
    if (!is_sure) return
    const failed = await call(configApi.delete, { id: profile.profile_id }, { quiet: true }).then(() => null, (cause: unknown) => sentenceOf(cause))
    if (failed === null) toast.success('删除成功!')
    else toast.error(failed)
    await changed()
  }
  const row = (profile: ConfigProfile) => may_edit && (
    <>
      <Button type="link" size="small" aria-label={`编辑 ${profile.profile_name}`} onClick={() => open({ profile, is_copy: false })}>编辑</Button>
      <Dropdown trigger={['click']} menu={{ items: [{ key: 'copy', label: '复制' }, { key: 'remove', label: '删除', danger: true }], onClick: ({ key }) => (key === 'copy' ? open({ profile, is_copy: true }) : void remove(profile)) }}>
        <Button type="link" size="small" aria-label={`更多 ${profile.profile_name}`}>更多</Button>
      </Dropdown>
    </>
  )
  return (
    <ListPage
      of={list}
      head={<p className="device-hint">同一项设置以最具体的为准：设备 &gt; 最近的场所 &gt; 型号 &gt; 学校。设备逐项确认后才算生效。</p>}
      filters={<Filters of={list} show={['keyword', 'model_code']} />}
      actions={<Can code={configApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => open({ profile: null, is_copy: false })}>新增方案</Button></Can>}
    >
      <Table of={list} show={['profile_name', 'level', 'model_code', 'targets', 'settings', 'applied', 'trial', 'updated_at']} row={row} row_width={ROW_WIDTH} two_line empty="还没有配置方案，点击右上角新增" />
      <Suspense>{opened && <ProfileDrawer profile={opened.profile} is_copy={opened.is_copy} onClose={() => open(null)} />}</Suspense>
    </ListPage>
  )
}
